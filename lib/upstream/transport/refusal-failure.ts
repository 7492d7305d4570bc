/** The failure of a request that the upstream refused for what is in it. */

import type { Refusable } from "../../contract/channel-profile";
import { failureOf, ourFault } from "../failure";
import type { UpstreamFailure } from "../provider";
import { codesOf } from "./error-codes";
import { meaningOf } from "./refusals";
import type { RefusedBody } from "./refused-body";
import { type TokenCounts, tokenCountsOf } from "./token-counts";
import { unknownFieldIn, unreadOf } from "./unread";

const plainFieldPath = /^[A-Za-z_]\w{0,63}(\[\d{1,5}\]|\.[A-Za-z_]\w{0,63}){0,8}$/;
/** Fields that the relay writes, so the client is not to blame for them. */
const ownFields = new Set(["model", "stream", "stream_options"]);

/** What is not a value that is not supported. */
const codes: { readonly [Name in Refusable]?: UpstreamFailure["code"] } = {
  tool_schema: "invalid_tool_schema",
  turns: "invalid_history",
  signed_thinking: "invalid_history",
};

const plain = (param: string) => (plainFieldPath.test(param) ? param : null);

/** A sum of input and cap that exceeds the window is one of the input unless the input fits alone. */
function ofWindow({ window, input }: TokenCounts): Partial<UpstreamFailure> {
  if (window === null) return {};
  const tokens = { tokens: { asked: input, allowed: window } };
  return input !== null && input < window ? { ...tokens, capMax: window - input } : tokens;
}

const ofCap = ({ capMax }: TokenCounts): Partial<UpstreamFailure> =>
  capMax === null ? {} : { tokens: { asked: null, allowed: capMax }, capMax };

/** Null when it is not known what the refusal means. */
export function knownFailure(refused: RefusedBody, internal: string): UpstreamFailure | null {
  const unread = unreadOf(refused);
  if (unread.length > 0) {
    const [first] = unread;
    return first !== undefined && ownFields.has(first)
      ? { ...ourFault(internal), unread }
      : failureOf((first && codes[first]) ?? "unsupported_value", internal, {
          isSurelyFree: true,
          param: plain(refused.param) ?? fieldOf(first),
          unread,
        });
  }
  const meaning = meaningOf(refused);
  if (meaning === null) return unknownField(refused, internal);
  if (meaning.code === "operator") return ourFault(internal, meaning.credentialFault);
  const { code, isElsewhere, param } = meaning;
  const detail = { isSurelyFree: isElsewhere, param: plain(refused.param) ?? param };
  const counts = tokenCountsOf(refused.texts.join("\n"));
  if (code === "context_length_exceeded")
    return failureOf(code, internal, { ...detail, param, ...ofWindow(counts) });
  if (code === "max_tokens_too_large")
    return failureOf(code, internal, { ...detail, param, ...ofCap(counts) });
  const numbers = { ...detail, ...ofList(refused) };
  return failureOf(code, internal, code === "content_rejected" ? {} : numbers);
}

/** How many items there may be of a list that is too long. */
function ofList({ texts }: RefusedBody): Partial<UpstreamFailure> {
  const found = /array with maximum length (\d{1,6}), but got an array with length (\d{1,6})/.exec(
    texts.join("\n"),
  );
  return found === null ? {} : { tokens: { allowed: Number(found[1]), asked: Number(found[2]) } };
}

function unknownField({ texts }: RefusedBody, internal: string): UpstreamFailure | null {
  const name = unknownFieldIn(texts);
  if (name === null) return null;
  return ownFields.has(name)
    ? ourFault(internal)
    : failureOf("unsupported_value", internal, { isSurelyFree: true, param: plain(name) });
}

/** The field of the request in which something is that the upstream cannot read. */
function fieldOf(unread: string | undefined): string | null {
  if (unread === undefined) return null;
  if (
    /^(?:developer|system|content_|call_|extra_content|tool_images|file_parts|calls_without_tools|reasoning(?:_content|_details)?$)/.test(
      unread,
    )
  )
    return "messages";
  if (unread === "turns" || unread === "signed_thinking") return "messages";
  if (unread === "named_choice") return "tool_choice";
  if (unread.startsWith("thinking_")) return "thinking";
  if (unread === "sampling_pair") return "top_p";
  if (unread.startsWith("effort_")) return "reasoning_effort";
  if (unread === "plain_answers") return "stream";
  if (unread === "json_schema") return "response_format";
  if (unread === "json_object") return "response_format";
  return unread === "strict" || unread === "tool_schema" ? "tools" : unread;
}

/** The same for a refusal that says nothing else: a value is wrong, or not supported. */
export function refusedRequest(refused: RefusedBody, internal: string): UpstreamFailure {
  const known = knownFailure(refused, internal);
  if (known !== null) return known;
  if (ownFields.has(refused.param)) return ourFault(internal);
  const isUnsupported = /(?:unsupported|unknown)_(?:value|parameter)/.test(refused.codes);
  return failureOf(isUnsupported ? "unsupported_value" : "invalid_value", internal, {
    isSurelyFree: isUnsupported,
    param: plain(refused.param),
  });
}

export const internalOf = (where: string, { error }: RefusedBody) => `${where}: ${codesOf(error)}`;
