/**
 * What a refusal says that the upstream cannot read. Such a refusal changes how other requests are sent,
 * so only words that are the upstream's own count: a sentence from its first word, or a code.
 */
import { type Reading, readings } from "../../contract/channel-profile";
import type { FieldFault, RefusedBody } from "./refused-body";

const named = (name: string): readonly Reading[] => {
  const last = name
    .split(/[.[\]]/)
    .filter(Boolean)
    .at(-1);
  const reading = readings.find((each) => each === last);
  return reading === undefined ? [] : [reading];
};

/** Sentences that name an unknown field. */
const unknownField: readonly RegExp[] = [
  /^(?:unknown|unsupported|unrecognized|unexpected) (?:request )?(?:parameter|argument|field|property)s?(?: supplied)?:? ?['"`]?([\w.[\]]{1,80})/i,
  /^[\w.()]{1,60} got an unexpected keyword argument '(\w{1,60})'/,
  /^(?:'messages\.\d{1,5}' : for 'role:\w{1,20}' the following must be satisfied\[\('messages\.\d{1,5}' : |[\w.]{1,80}: )?property '([\w.]{1,80})' is unsupported/,
  /^Invalid JSON payload received\. Unknown name \\?"(\w{1,60})\\?"(?: at '(?:request\.)?tools\[\d{1,5}\]\.function_declarations\[\d{1,5}\]')?: Cannot find field/,
  /^['"`]?(\w{1,60})['"`]? is not (?:a )?supported(?: parameter| with this model| by this model)?\.?$/i,
];

const sentences: readonly (readonly [RegExp, readonly Reading[]])[] = [
  [/^messages(?:\[\d{1,5}\])?\.role: unknown variant `developer`/, ["developer"]],
  [/^developer is not one of \[/, ["developer"]],
  [/^(?:unexpected|incorrect|invalid|unknown|unsupported) (?:message )?role\b/i, ["developer"]],
  [/^角色信息/, ["developer"]],
  [/^unsupported value: 'messages\[\d{1,5}\]\.role' does not support 'developer'/i, ["developer"]],
  [/^system message must be at the beginning/i, ["system_later"]],
  [
    /^messages\[\d{1,5}\](?:\.content)?: invalid type: sequence, expected a string/,
    ["content_parts"],
  ],
  [/^messages\[\d{1,5}\](?:\.content)?: invalid type: null, expected/, ["content_null"]],
  [/^input should be a valid string$/i, ["content_parts", "content_null"]],
  [
    /^\d{1,3} validation errors? for \w{1,60}\s{1,4}messages\.\d{1,5}\.\w{1,20}\.content\s{1,4}Input should be a valid string/,
    ["content_parts", "content_null"],
  ],
  [
    /^(?:'messages\.\d{1,5}' : .{0,80})?'messages\.\d{1,5}\.content' : value must be a string/,
    ["content_parts", "content_null"],
  ],
  [/^invalid 'content': 'content' field must be a string or an array/i, ["content_null"]],
  [/^this response_format type is unavailable/i, ["json_schema"]],
  [/^response_format: response_format\.type `json_schema` is unavailable/, ["json_schema"]],
  [
    /^invalid parameter: 'response_format' of type 'json_schema' is not supported/i,
    ["json_schema"],
  ],
  [/^this model does not support response format `json_schema`/i, ["json_schema"]],
];

const unknownCode = /^(?:unknown|unsupported|unrecognized)_(?:parameter|argument|field)$/;

function ofFault({ type, path }: FieldFault): readonly Reading[] {
  const last = path.filter((part) => !/^\d{1,9}$/.test(part)).at(-1) ?? "";
  if (type === "extra_forbidden") return named(last);
  if (path[0] !== "messages") return [];
  if (last === "role" && /^(?:literal_error|enum)$/.test(type)) return ["developer"];
  return path.includes("content") && type === "string_type"
    ? ["content_parts", "content_null"]
    : [];
}

function ofText(text: string): readonly Reading[] {
  for (const pattern of unknownField) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return named(name);
  }
  return sentences.find(([pattern]) => pattern.test(text))?.[1] ?? [];
}

/** What the upstream cannot read; empty when the refusal says nothing of the kind. */
export function unreadOf({ codes, param, texts, faults }: RefusedBody): readonly Reading[] {
  const ofCode = codes.split(" ").some((code) => unknownCode.test(code)) ? named(param) : [];
  return [...new Set([...ofCode, ...faults.flatMap(ofFault), ...texts.flatMap(ofText)])];
}
