/** Whether a refusal says that the upstream is at its limits, whatever its status. */
import type { RefusedBody } from "./refused-body";

/** At its limits for now: by its codes, or in a sentence from its first word. */
interface Limit {
  readonly codes: RegExp;
  readonly sentence: RegExp;
}

const rate: Limit = {
  codes:
    /(?:^| )(?:rate_?limit(?:_error|_exceeded|_reached_error|ed)?|too_many_requests|limit_(?:requests|burst_rate)|throttling[\w.]{0,40}|throttl\w{0,40}exception|130[235])(?: |$)/i,
  sentence:
    /^(?:rate limit|requests? rate limit|too many (?:requests|connections|tokens(?: per day)?,? please wait)|allocated quota exceeded|当前分组(?:上游)?负载已饱和|当前API请求过多|(?:该|当前)模型.{0,6}(?:访问量过大|负载过高)|您(?:的账户已达到速率限制|当前使用该API的并发数过高)|请求过于频繁|并发(?:数)?过高)/i,
};
const overload: Limit = {
  codes:
    /(?:^| )(?:(?:server_is_|engine_)?overloaded(?:_error)?|service_unavailable(?:_error)?)(?: |$)/i,
  sentence:
    /^(?:(?:the |our )?(?:\w{1,20} )?(?:servers?|engine|model) (?:is|are) (?:currently )?overloaded|overloaded\b|系统繁忙|服务(?:器)?繁忙)/i,
};

const isAt = ({ codes, sentence }: Limit, refused: RefusedBody): boolean =>
  codes.test(refused.codes) || refused.texts.some((text) => sentence.test(text));

/** Too many requests of ours: a while later it takes them. */
export const isBusy = (refused: RefusedBody): boolean => isAt(rate, refused);
/** Too many requests of all. */
export const isOverloaded = (refused: RefusedBody): boolean => isAt(overload, refused);
