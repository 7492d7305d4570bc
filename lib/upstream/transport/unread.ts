/**
 * What a refusal says that the upstream cannot read. Such a refusal changes how other requests are sent,
 * so only words that are the upstream's own count: a sentence from its first word, or a code.
 */
import { type Reading, type Refusable, readings } from "../../contract/channel-profile";
import type { FieldFault, RefusedBody } from "./refused-body";

/** The names of fields, as some servers write them. */
const snakeCase = (name: string) => name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();

/** The name of the same field in other APIs. */
const sameAs: Readonly<Record<string, Reading>> = { effort: "reasoning_effort" };

/** What is known of a field by its path. */
function named(path: string): readonly Reading[] {
  const last = path
    .split(/[.[\]]/)
    .filter((part) => part !== "" && !/^\d+$/.test(part))
    .at(-1);
  const name = snakeCase(last ?? "");
  const reading = sameAs[name] ?? readings.find((each) => each === name);
  return reading === undefined ? [] : [reading];
}

/** Sentences that name an unknown field. */
const unknownField: readonly RegExp[] = [
  /^(?:unknown|unsupported|unrecognized|unexpected) (?:request )?(?:parameter|argument|field|property)s?(?: supplied)?:? ?['"`]?([\w.[\]]{1,80})/i,
  /^[\w.()]{1,60} got an unexpected keyword argument '(\w{1,60})'/,
  /^(?:'messages\.\d{1,5}' : for 'role:\w{1,20}' the following must be satisfied\[\('messages\.\d{1,5}' : |[\w.]{1,80}: )?property '([\w.]{1,80})' is unsupported/,
  /^Invalid JSON payload received\. Unknown name \\?"(\w{1,60})\\?"(?: at '(?:request\.)?tools\[\d{1,5}\]\.function_declarations\[\d{1,5}\]')?: Cannot find field/,
  /^['"`]?(\w{1,60})['"`]? (?:is|are) not (?:a )?supported(?: parameter| with this model| by this model)?\.?$/i,
  /^extra inputs are not permitted, field: '([\w.[\]]{1,80})'/i,
  /^([\w.]{1,80}): extra inputs are not permitted/i,
  /^json: unknown field "(\w{1,60})"/,
  /^argument not supported on this model: (\w{1,60})/i,
  /^model [\w./:-]{1,100} does not support parameter (\w{1,60})/i,
  /^\w{1,40} does not support parameters: \[['"](\w{1,60})['"]/i,
  /^unsupported value: '(\w{1,60})' does not support [\d.]{1,10} with this model\. only the default/i,
  /^invalid (temperature|top_p): only [\d.]{1,10} is allowed/i,
  /^unsupported value: '([\w.]{1,60})' does not support '[\w-]{1,30}' with this model/i,
  /^[`'"]?(reasoning_effort|verbosity)[`'"]? must be one of/i,
  /^[`'"]?(temperature|top_p|top_k)[`'"]? (?:is deprecated for|may only be set to)/i,
];

const sentences: readonly (readonly [RegExp, readonly Refusable[]])[] = [
  [/^messages(?:\[\d{1,5}\])?\.role: unknown variant `developer`/, ["developer"]],
  [/^developer is not one of \[/, ["developer"]],
  [/^unexpected role 'system' after role/i, ["system_later"]],
  [
    /^(?:unexpected|incorrect|invalid|unknown|unsupported) (?:message )?role\b(?! '\w{1,20}' after)/i,
    ["developer"],
  ],
  [/^'role' must be one of/i, ["developer"]],
  [
    /^only user, assistant and tool roles are supported, with the exception of an initial/i,
    ["developer", "system_later"],
  ],
  [/^only user and assistant roles are supported/i, ["system"]],
  [/^system role (?:is )?not supported/i, ["system"]],
  [/^developer instruction is not enabled/i, ["system"]],
  [/^input should be 'system', 'user', 'assistant' or 'tool'/i, ["developer"]],
  [/^function tools with reasoning_effort are not supported/i, ["effort_with_tools"]],
  [/^parameter\.enable_thinking must be set to false for non-stream/i, ["plain_answers"]],
  [/^enable thinking can not be support when `stream/i, ["plain_answers"]],
  [/^this model only supports? stream mode/i, ["plain_answers"]],
  [/^stream must be (?:set to )?true/i, ["plain_answers"]],
  [/^角色信息/, ["developer"]],
  [/^unsupported value: 'messages\[\d{1,5}\]\.role' does not support 'developer'/i, ["developer"]],
  [/^chat content has invalid message role: developer/i, ["developer"]],
  [/^chat content has invalid message role: system/i, ["system_later"]],
  [/^invalid thinking\.type: \\?['"]enabled/i, ["thinking_enabled"]],
  [/^system messages? (?:is|are) not (?:allowed|supported)/i, ["system"]],
  [/^think value .{1,30} is not supported/i, ["reasoning_effort"]],
  [/^['"`]?[\w./:-]{1,100}['"`]? does not support thinking/i, ["reasoning_effort"]],
  [/^the toolConfig field must be defined when using/i, ["calls_without_tools"]],
  [/^bedrock doesn't support tool calling without `?tools/i, ["calls_without_tools"]],
  [/^system message must be at the beginning/i, ["system_later"]],
  [/^(?:conversation )?roles must alternate/i, ["turns"]],
  [/^after the \(?optional\)? system message[^\n]{0,60}(?:must|should) alternate/i, ["turns"]],
  [/^unexpected role 'user' after role 'tool'/i, ["turns"]],
  [/^['"`]?thinking\.type\.enabled['"`]? is not supported/i, ["thinking_enabled"]],
  [/^adaptive thinking is not supported/i, ["thinking_adaptive"]],
  [/^this model does not support the effort parameter/i, ["reasoning_effort"]],
  [/^output_config\.effort: input should be/i, ["effort_word"]],
  [/^[`'"]?temperature[`'"]? and [`'"]?top_p[`'"]? cannot both/i, ["sampling_pair"]],
  [/^only one of ['"`]temperature['"`] and ['"`]top_p/i, ["sampling_pair"]],
  [
    /^messages\[\d{1,5}\](?:\.content)?: invalid type: sequence, expected a string/,
    ["content_parts"],
  ],
  [/^messages\[\d{1,5}\](?:\.content)?: invalid type: null, expected/, ["content_null"]],
  [/^messages\[\d{1,5}\]: data did not match any variant of untagged enum/, ["content_parts"]],
  [/^can only concatenate str \(not "list"\)/, ["content_parts"]],
  [/^unsupported value: 'stream' does not support true/i, ["stream_options"]],
  [
    /^(?:invalid 'messages\[\d{1,5}\]'\. )?image urls are only allowed for messages with role 'user'/i,
    ["tool_images"],
  ],
  [
    /^(?:(?:invalid|unknown|unsupported) (?:chat )?(?:content )?part type: ['"`]?file\b|invalid value: ['"`]?file['"`]?\. supported values)/i,
    ["file_parts"],
  ],
  [/^tool call id was .{0,100} but must be/i, ["call_ids"]],
  [/^invalid 'messages\[\d{1,5}\]\.tool_calls\[\d{1,5}\]\.id': string too long/i, ["call_ids"]],
  [/^function call [^\n]{0,100}is missing a '?thought_signature/i, ["call_signature"]],
  [
    /^(?:messages\.\d{1,5}\.content\.\d{1,5}: )?invalid [`'"]?signature[`'"]? in [`'"]?thinking/i,
    ["signed_thinking"],
  ],
  [
    /^(?:messages\.\d{1,5}\.content\.\d{1,5}: )?[`'"]?thinking[`'"]? or [`'"]?redacted_thinking[`'"]? blocks in the latest assistant message cannot/i,
    ["signed_thinking"],
  ],
  [
    /^(?:unable to submit request because |corrupted |invalid )?thought signature(?: is not valid)?\./i,
    ["signed_thinking"],
  ],
  [/^the encrypted content [^\n]{1,200} could not be verified/i, ["signed_thinking"]],
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
  [/^['"]?response_format\.type['"]? must be ['"]json_schema/i, ["json_object"]],
  [/^unsupported (?:response_)?format type: '?json_object/i, ["json_object"]],
  [
    /^(?:only a tool_choice of ['"]auto|only ['"]auto['"] is supported for `?tool_choice)/i,
    ["tool_choice"],
  ],
  [/^invalid tool_choice type: ['"`]?object/i, ["named_choice"]],
  [/^tools with strict=true are not supported/i, ["strict"]],
  [/^unsupported json schema fields:/i, ["json_schema"]],
  [/^the tool_choice parameter does not support/i, ["tool_choice"]],
  [/^[\w./: -]{1,60} does not support (?:this )?['"`]?tool_choice/i, ["tool_choice"]],
  [/^(?:tool_choice: )?thinking may not be enabled when tool_choice forces/i, ["tool_choice"]],
  [/^tool_choice ['"]?\w{1,20}['"]? is incompatible with thinking/i, ["tool_choice"]],
  [/^invalid value: '(?:auto|none|required)'\. supported values are: 'code_/i, ["tool_choice"]],
  [
    /^(?:invalid json payload received\. unknown name \\?"[$\w]{1,60}\\?" at ')?(?:request\.)?tools\[\d{1,5}\]\.function_declarations\[\d{1,5}\]\.parameters/i,
    ["tool_schema"],
  ],
  [/^unable to submit request because `[^`]{1,100}` functionDeclaration/i, ["tool_schema"]],
  [/^(?:failed to initialize samplers: )?failed to parse grammar/i, ["tool_schema"]],
  [/^json schema conversion failed/i, ["tool_schema"]],
  [/^tools\.function\.parameters is not a valid moonshot/i, ["tool_schema"]],
  [/^(?:invalid request: )?missing 'type' or 'anyOf' key in parameter/i, ["tool_schema"]],
  [/^this response_format type is unavailable/i, ["json_schema"]],
  [/^response_format: response_format\.type `json_schema` is unavailable/, ["json_schema"]],
  [
    /^invalid parameter: 'response_format' of type 'json_schema' is not supported/i,
    ["json_schema"],
  ],
  [/^this model does not support response format `json_schema`/i, ["json_schema"]],
  [/^[`'"]response_format[`'"] of type [`'"]json_schema[`'"] is not/i, ["json_schema"]],
];

/** An upstream that says so knows efforts, and not the word that was sent. */
const usualEfforts = /['"`]low['"`][^\n]{0,60}['"`]high['"`]/i;

const unknownCode = /^(?:unknown|unsupported|unrecognized)_(?:parameter|argument|field)$/;

/** The same of a field whose value is one of some words: others are known. */
const valued = (path: string) =>
  named(path).filter((name) => name === "reasoning_effort" || name === "verbosity");

function ofFault({ type, path }: FieldFault): readonly Reading[] {
  const last = path.filter((part) => !/^\d{1,9}$/.test(part)).at(-1) ?? "";
  if (type === "extra_forbidden") return named(last);
  const isWord = /^(?:literal_error|enum)$/.test(type);
  if (path[0] !== "messages") return isWord ? valued(last) : [];
  if (last === "role" && isWord) return ["developer"];
  if (!path.includes("content")) return [];
  if (/none/.test(type)) return ["content_null"];
  return type === "string_type" ? ["content_parts", "content_null"] : [];
}

function ofText(text: string): readonly Refusable[] {
  const known = sentences.find(([pattern]) => pattern.test(text))?.[1];
  return known ?? named(unknownFieldIn([text]) ?? "");
}

/** The first field that a sentence says is not known; null when none does. */
export function unknownFieldIn(texts: readonly string[]): string | null {
  for (const text of texts)
    for (const pattern of unknownField) {
      const name = pattern.exec(text)?.[1];
      if (name !== undefined) return name;
    }
  return null;
}

/** What the upstream cannot read; empty when the refusal says nothing of the kind. */
export function unreadOf({ codes, param, texts, faults }: RefusedBody): readonly Refusable[] {
  const all = codes.split(" ");
  const ofCode = all.some((code) => unknownCode.test(code))
    ? named(param)
    : all.includes("unsupported_value")
      ? valued(param)
      : [];
  const ofThinking: Refusable[] = all.includes("invalid_encrypted_content")
    ? ["signed_thinking"]
    : [];
  const found = [...ofCode, ...ofThinking, ...faults.flatMap(ofFault), ...texts.flatMap(ofText)];
  const hasEfforts = texts.some((text) => usualEfforts.test(text));
  return [
    ...new Set(
      found.map((name) => (name === "reasoning_effort" && hasEfforts ? "effort_word" : name)),
    ),
  ];
}
