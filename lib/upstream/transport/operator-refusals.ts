/** Refusals for which the operator is to blame, and not the client. */
import type { CredentialFault } from "../provider";
import { modelCodes, quotaCodes } from "./error-codes";
import type { RefusedBody } from "./refused-body";

/**
 * What is wrong with the operator's account, key or model: a sentence from its first word, which no client
 * can write. Where one of the account or key is to blame, another credential may work.
 */
interface OperatorMeaning {
  readonly credentialFault?: CredentialFault;
  readonly codes: readonly RegExp[];
  readonly sentence: RegExp;
}

const quotaNumbers = /(?:^| )(?:1113|1308|1309)(?: |$)/;
const operatorTable: readonly OperatorMeaning[] = [
  {
    credentialFault: "quota",
    codes: [quotaCodes, quotaNumbers],
    sentence:
      /^(?:your credit balance|insufficient (?:balance|quota|credit|funds)|you exceeded your current quota|your prepayment credits|you have reached your specified api usage limits|budget has been exceeded|account (?:is )?overdue|token quota is not enough|[^\s，,。]{0,12}(?:余额不足|额度不足|欠费)|预扣费额度失败|该令牌额度已用尽|已达到.{1,12}使用上限)/i,
  },
  {
    credentialFault: "refused",
    codes: [/(?:^| )1220(?: |$)/],
    sentence:
      /^(?:(?:in)?(?:valid|correct) api key|api key (?:not (?:valid|found)|expired)|your account |account (?:is )?suspended|(?:this|your) organization has been disabled|无效的令牌|令牌(?:状态)?不可用|身份验证失败)/i,
  },
  {
    codes: [modelCodes, /(?:^| )1211(?: |$)/],
    sentence:
      /^(?:the model ['"`][^'"`]{1,100}['"`] (?:does not exist|is not found|has been decommissioned)|invocation of model id |the provided model identifier is invalid|the (?:requested )?model (?:does not exist|is not found)|model not exist|model not found|[\w./:-]{1,100} is not a valid model id|user location is not supported|模型不存在|(?:当前)?分组 .{1,60}模型.{1,100}无可用渠道)/i,
  },
];

/** Null when the operator is not known to be to blame. */
export function operatorsIn({ codes, texts }: RefusedBody): OperatorMeaning | null {
  const isMeant = (row: OperatorMeaning) =>
    row.codes.some((pattern) => pattern.test(codes)) ||
    texts.some((text) => row.sentence.test(text));
  return operatorTable.find(isMeant) ?? null;
}

/** What is wrong with the credential; undefined when the refusal does not say so. */
export const credentialFaultOf = (refused: RefusedBody): CredentialFault | undefined =>
  operatorsIn(refused)?.credentialFault;
