/**
 * What upstreams' refusals mean, once for all protocols: by their codes, and by their words where a maker
 * has no code. `docs/conformance.md` lists the refusals from which the words are.
 */
import type { CredentialFault, UpstreamFailure } from "../provider";
import { contentCodes } from "./error-codes";
import { operatorsIn } from "./operator-refusals";
import type { RefusedBody } from "./refused-body";

interface Meaning {
  readonly code: UpstreamFailure["code"];
  readonly codes?: RegExp;
  readonly words?: RegExp;
  /** True when another upstream may take the same request. */
  readonly isElsewhere: boolean;
  /** The request's field that is to blame. */
  readonly param: string | null;
}

const content: Meaning = {
  code: "content_rejected",
  codes: contentCodes,
  words:
    /content exists risk|prohibited content|considered high risk|inappropriate content|content (?:management|filtering) policy|(?:usage|content|safety) polic(?:y|ies) violat|violat(?:es?|ing) (?:our |the )?(?:usage|content|safety)|your input was flagged|敏感内容|敏感信息|不安全内容|内容违规|涉嫌违规|审核不通过|new_sensitive/i,
  isElsewhere: false,
  param: null,
};

/** A refusal of content under a status that else blames the credential: from its first word. */
const contentSentence = /^content violates|^.{0,120}your input was flagged for/i;

export const isOfContent = ({ codes, texts }: RefusedBody): boolean =>
  contentCodes.test(codes) || texts.some((text) => contentSentence.test(text));

/** The cap alone is too large. */
const cap: Meaning = {
  code: "max_tokens_too_large",
  codes: /max_tokens_too_large/,
  words:
    /max[_ ](?:completion_|new_|output_)?tokens\W.{0,90}?(?:exceeds the limit|above maximum|less than or equal|must be <= |should be \[|maximum allowed|supports at most|valid range|非法)|valid range of max_tokens|maximum tokens you requested exceeds|maxOutputTokens value of/i,
  isElsewhere: true,
  param: "max_tokens",
};

const context: Meaning = {
  code: "context_length_exceeded",
  codes:
    /context_length|context_window|exceed_context|prompt_too_long|input_?too_?long|input_?tokens_?exceeded|tokens_too_long|token_limit_exceeded|tokens_limit_reached|max_prompt_tokens|outofcontext/i,
  words:
    /maximum context length|(?:prompt|input) is too long|prompt too long|context (?:window|length|size|limit)|range of input length|exceeded model token limit|max message tokens|(?:input|prompt) token count|maximum model length|length is \d{1,9} while limit is|max size: \d{1,9} tokens|too many (?:input )?tokens(?!,? please wait| per day)|^invalid '(?:messages|input|instructions)[^'\n]{0,80}': string too long|context_overflow|max context\b|must have less than \d{1,9} tokens|supported sequence length|(?:prompt|input)(?: length)?(?: \d{1,9})? exceeds (?:the )?max(?:imum)? length|message token length|referenced tokens exceed|max input characters|expected maxLength: \d{1,9}, actual|input tokens exceed|length of all messages|`inputs` tokens|maximum (?:input|prompt) length|max length exceeded|max_tokens must be at least 1, got -|max_seq_len|maximum allowed length|max_num_tokens|cannot exceed the total tokens limit|token limit exceeded|超长|(?:输入|上下文|提示词?|tokens? ?)(?:内容|文本|长度|数量?|总数){1,2}(?:过长|超过|超出|超限)|request too large for/im,
  isElsewhere: true,
  param: "messages",
};

/** The input and the cap together are too large for the window. */
const sum: Meaning = { ...context, words: /exceed context limit|`inputs` tokens \+/i };

/** Before what is too long: their names may be. */
const tools: Meaning = {
  code: "invalid_tool_schema",
  codes: /invalid_function_parameters|invalid_json_schema|tool_schema/i,
  words:
    /^(?:invalid )?['"`]?tools(?:['"`]?:|\[\d|\.\d)|toolConfig\.tools|invalid schema for (?:function|response_format)|function_declarations|input_schema|json schema is invalid|schema must be a json schema|invalid function name|invalid json schema|functionDeclaration `|duplicate function declaration|json schema (?:not supported|conversion failed)|failed to parse grammar|supported by xgrammar/im,
  isElsewhere: true,
  param: "tools",
};
const callIds: Meaning = {
  code: "invalid_history",
  words:
    /tool_calls\[\d+\]\.id\W{1,3}string too long|^tool call id was|tool_use\.id: string should/im,
  isElsewhere: true,
  param: "messages",
};

/** What the model wrote is no call: it may write one the next time. */
const failedCall: Meaning = {
  code: "upstream_failed",
  codes: /tool_use_failed/,
  words: /^failed to call a function\. please adjust your prompt/im,
  isElsewhere: true,
  param: null,
};
const tooManyTools: Meaning = {
  code: "unsupported_value",
  words: /^invalid '?tools'?: array too long/im,
  isElsewhere: true,
  param: "tools",
};

const table: readonly Meaning[] = [
  failedCall,
  tooManyTools,
  tools,
  callIds,
  sum,
  cap,
  context,
  {
    code: "invalid_image",
    codes:
      /(?:invalid|unsupported|bad)_?(?:base64_)?image|image_?(?:parse|too_large|url|format|file|decode)|unsupported_file|sanitizer_server_error|empty_base64|too_many_images/i,
    words:
      /(?:could not|cannot|can't|unable to|failed to) (?:process|decode|identify|load|read|open|download|fetch|parse)(?: the| an?| this)?(?: input)? image|image (?:exceeds|dimensions|data|url|format|size)|(?:unsupported|invalid) (?:data for )?image|does not represent a valid image|image (?:was specified using|is not valid|length and width)|image: unknown format|\bimage\.source\b|download the (?:file|media resource)|bytes per data-uri|base64 image|illegal base64|at most \d{1,3} image|图片/i,
    isElsewhere: true,
    param: "messages",
  },
  {
    code: "invalid_history",
    words:
      /reasoning_content.{0,60}(?:missing|passed back)|require openrouter reasoning details|expected `?thinking`? or|missing a thought_signature|invalid `signature` in `thinking`/i,
    isElsewhere: true,
    param: "messages",
  },
  {
    code: "invalid_history",
    codes: /invalid_history|invalid_encrypted_content/,
    words:
      /must be followed by tool messages|without `?tool_result`? blocks|unexpected `?tool_use_id`?|must be a response to a prece{1,2}ding message with|did not have response messages|number of function (?:calls|response)|parameter 'tool_call_id'|roles must alternate|2 or more assistant messages|last message .{0,40}must be|expected last role|must not be empty|must be non-empty|at least one part|call result does not follow|result's tool id|no tool (?:output|call) found|response turn comes immediately|toolresult blocks at|must start with a user message|first message must use|tool_call_id .{0,60}(?:is not found|is duplicated)|messages (?:参数非法|parameter is illegal)|must contain thinking|blocks in the latest assistant message|duplicate (?:item found|function_call_output)|without its required following|items are not persisted|ids must be unique|must end with a user message|call turn comes immediately|unexpected role '\w{1,20}' after role|invalid function arguments json|function\.arguments["'` ]{1,3}parameter|tool_use\.input: input should|must have either content or tool_calls|text content is empty|text cannot be empty|empty text blocks|cannot end with trailing whitespace/i,
    isElsewhere: false,
    param: "messages",
  },
  {
    code: "unsupported_value",
    words:
      /do(?:es)? not support (?:tools|function|tool use)|tool choice requires --|found that support (?:tool|the provided 'tool_choice')|tool use is not supported|function calling is not enabled/i,
    isElsewhere: true,
    param: "tools",
  },
  {
    code: "unsupported_value",
    words:
      /do(?:es)? not support (?:images?|image input|vision)|found that support image|unknown variant `?image_url|content part type:? \\?"image_url|image(?:_url| input) is (?:only|not) supported|not a multimodal model|image input modality is not/i,
    isElsewhere: true,
    param: "messages",
  },
  {
    code: "unsupported_value",
    words: /^json mode cannot be combined|^function calling with a response mime type/im,
    isElsewhere: true,
    param: "response_format",
  },
  {
    code: "body_too_large",
    codes: /request_too_large|payload_too_large|entity_?too_?large/i,
    words:
      /entity too large|payload too large|request exceeds the maximum size|body.{0,80}length less than or equal/i,
    isElsewhere: true,
    param: null,
  },
];

/** How the refusal is to be taken; null when it is not known. */
export type Taken =
  | Pick<Meaning, "code" | "isElsewhere" | "param">
  | { readonly code: "operator"; readonly credentialFault: CredentialFault | undefined }
  | null;

export function meaningOf(refused: RefusedBody): Taken {
  const { codes, texts } = refused;
  const words = texts.join("\n");
  const isMeant = (row: Meaning) =>
    row.codes?.test(codes) === true || row.words?.test(words) === true;
  if (isMeant(content)) return content;
  const operators = operatorsIn(refused);
  if (operators !== null) return { code: "operator", credentialFault: operators.credentialFault };
  return table.find(isMeant) ?? null;
}
