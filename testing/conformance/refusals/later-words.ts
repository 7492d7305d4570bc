/** Refusals in words that were taken for others, or for none. */
import {
  anthropic,
  badHistory,
  badImage,
  badSchema,
  dashScope,
  gemini,
  type KnownRefusal,
  notKnown,
  openAi,
  overCap,
  overLong,
  refusal,
  rejected,
} from "./refusal";

const lengths: readonly KnownRefusal[] = [
  overLong(
    [
      "Text Generation Inference, of the input alone",
      "huggingface/text-generation-inference#695",
      422,
    ],
    {
      error: "Input validation error: `inputs` must have less than 1024 tokens. Given: 1168",
      error_type: "validation",
    },
    { allowed: 1024, asked: 1168 },
  ),
  overLong(["GLM at Zhipu, by a number", "NousResearch/hermes-agent#1877"], {
    error: { code: "1261", message: "Prompt exceeds max length" },
  }),
  overLong(
    ["SambaNova", null],
    openAi(
      "Requested generation length 1 is not possible! The provided prompt is 20000 tokens long, so generating 1 tokens requires a sequence length of 20001, but the maximum supported sequence length is just 8192!",
    ),
    { allowed: 8192, asked: 20_000 },
  ),
  overLong(["Bedrock, by its characters", null], {
    message:
      "Malformed input request: expected maxLength: 100000, actual: 120000, please reformat your input and try again.",
  }),
  overLong(
    ["Kimi, earlier", null],
    openAi("Invalid request: Total message token length exceed model limit"),
  ),
  overLong(["Qianfan", null], {
    error: { code: "tokens_too_long", message: "Prompt tokens too long", type: "invalid_request" },
  }),
  overLong(
    ["OpenAI, of one message", null],
    openAi(
      "Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576, but got a string with length 2000000 instead.",
      "string_above_max_length",
      "messages[1].content",
    ),
  ),
  refusal(
    ["OpenAI, of a long label", "theopenco/llmgateway#3110"],
    openAi(
      "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 72 instead.",
      "string_above_max_length",
      "prompt_cache_key",
    ),
    "invalid_value",
  ),
  overCap(
    ["Bedrock, in two words", null],
    { message: "max tokens must be less than or equal to 4096, got 8192" },
    { allowed: 4096, capMax: 4096 },
  ),
];

const throttled = "Too many tokens, please wait before trying again.";
const limits: readonly KnownRefusal[] = [
  refusal(
    ["Bedrock, of the tokens of a minute", "anomalyco/opencode#39620"],
    { message: throttled },
    "upstream_concurrency_exceeded",
  ),
  refusal(
    ["Bedrock behind its gateway, of the same", "strands-agents/agent-builder#31", 500],
    {
      detail: `An error occurred (ThrottlingException) when calling the ConverseStream operation (reached max retries: 4): ${throttled}`,
    },
    "upstream_concurrency_exceeded",
  ),
  refusal(
    ["Gemini, without credits", "dyad-sh/dyad#3626", 429],
    gemini("Your prepayment credits are depleted. Please go to AI Studio to manage your project."),
    "no_channel_available",
  ),
  refusal(
    ["Bedrock, of a model that needs a profile", "aws-samples/bedrock-access-gateway#73"],
    {
      detail:
        "An error occurred (ValidationException) when calling the Converse operation: Invocation of model ID anthropic.claude-3-5-sonnet-20240620-v1:0 with on-demand throughput isn’t supported.",
    },
    "no_channel_available",
  ),
];

const schemas: readonly KnownRefusal[] = [
  badSchema(
    ["Gemini, of words beside choices", "lambda-alpha-labs/Graphenium#37"],
    gemini(
      "Unable to submit request because `graphenium_add_edge` functionDeclaration `parameters.weight` schema specified other fields alongside any_of. When using any_of, it must be the only field set.",
    ),
    { unread: ["tool_schema"] },
  ),
  badSchema(
    ["llama.cpp, of what it makes of a schema", "lidge-jun/opencodex#2135"],
    {
      error: {
        code: 400,
        message: "Failed to initialize samplers: failed to parse grammar",
        type: "invalid_request_error",
      },
    },
    { unread: ["tool_schema"] },
  ),
  badSchema(["vLLM, of words in a schema", null], {
    object: "error",
    message: "The provided JSON schema contains features not supported by xgrammar.",
    code: 400,
  }),
];

/** It is asked again without it. */
const ofAnother = { unread: ["signed_thinking"] } as const;

const histories: readonly KnownRefusal[] = [
  badHistory(
    ["OpenAI, of a result without a call", "continuedev/continue#10092"],
    openAi("No tool call found for function call output with call_id call_ue.", null, "input"),
  ),
  badHistory(
    ["OpenAI, of one id for two results", "NousResearch/hermes-agent#102629"],
    openAi("Duplicate function_call_output for call_id 'terminal:0'."),
  ),
  badHistory(
    ["Kimi, of a result without a call", "EvoScientist/EvoScientist#360"],
    openAi("tool_call_id  is not found"),
  ),
  badHistory(
    ["OpenAI, of encrypted thinking", "openai/codex#8132"],
    openAi("The encrypted content gAAA...Rg== could not be verified.", "invalid_encrypted_content"),
    ofAnother,
  ),
  badHistory(
    ["OpenAI behind a gateway, of encrypted thinking", "smallmain/vscode-unify-chat-provider#178"],
    openAi(
      "The encrypted content for item rs_0a18166210d72b5e0069fd938e69a081 could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    ),
    ofAnother,
  ),
  badHistory(
    ["Anthropic, of thinking that another account signed", "ding113/claude-code-hub#518"],
    anthropic("messages.1.content.0: Invalid `signature` in `thinking` block"),
    ofAnother,
  ),
  badHistory(
    ["Gemini, of thinking that another account signed", "google-gemini/gemini-cli#13467"],
    { error: { code: 400, message: "Corrupted thought signature.", status: "INVALID_ARGUMENT" } },
    ofAnother,
  ),
  badHistory(
    ["Vertex, of thinking that another account signed", "decolua/9router#301"],
    {
      error: {
        code: 400,
        message:
          "Unable to submit request because Thought signature is not valid.. Learn more: https://cloud.google.com/vertex-ai",
        status: "INVALID_ARGUMENT",
      },
    },
    ofAnother,
  ),
  badHistory(
    ["Anthropic, of thinking that was changed", "anthropics/claude-code#63404"],
    anthropic(
      "messages.11.content.11: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
    ),
    ofAnother,
  ),
];

const contents: readonly KnownRefusal[] = [
  badImage(
    ["Anthropic, of a picture of another type", "vybestack/llxprt-code#2130"],
    anthropic(
      "messages.83.content.0.tool_result.content.1.image.source.base64: The image was specified using the image/jpeg media type, but the image appears to be a image/png image",
    ),
  ),
  badImage(
    ["Qwen at DashScope, of a small picture", null],
    dashScope(
      "InvalidParameter: The image length and width do not meet the model restrictions. [height:1 or width:1 must be larger than 10]",
    ),
  ),
  badImage(
    ["Qwen at DashScope, of an address", null],
    dashScope("Unable to download the media resource during the data inspection process."),
  ),
  badImage(["Ollama, of what is no picture", null, 500], {
    error: { message: "Failed to process inputs: image: unknown format", type: "api_error" },
  }),
  badImage(["vLLM, of too many pictures", null], {
    object: "error",
    message: "At most 1 image(s) may be provided in one prompt.",
    code: 400,
  }),
  rejected(["StepFun", null, 451], {
    error: {
      message: "The content you provided or machine outputted is blocked.",
      type: "censorship_blocked",
    },
  }),
];

const fields: readonly KnownRefusal[] = [
  notKnown(
    ["OpenAI, of an effort beside tools", "charmbracelet/crush#2913"],
    openAi(
      "Function tools with reasoning_effort are not supported for gpt-5.5 in /v1/chat/completions. Please use /v1/responses instead.",
      null,
      "reasoning_effort",
    ),
    "effort_with_tools",
  ),
  notKnown(
    ["Qwen at DashScope, of answers in one piece", "coze-dev/coze-studio#324"],
    {
      error: {
        code: "invalid_parameter_error",
        message: "parameter.enable_thinking must be set to false for non-streaming calls",
      },
    },
    "plain_answers",
  ),
  notKnown(
    ["Qwen at ModelScope, of answers in one piece", "musistudio/claude-code-router#948"],
    {
      error: {
        code: "invalid_parameter_error",
        message: "enable thinking can not be support when `stream=False`.",
        type: "invalid_request_error",
      },
    },
    "plain_answers",
  ),
  notKnown(
    ["Gemma at Google, of instructions", null],
    gemini("Developer instruction is not enabled for models/gemma-3-27b-it"),
    "system",
  ),
  notKnown(
    ["Gemma at Google, of tools", null],
    gemini("Function calling is not enabled for models/gemma-3-27b-it"),
  ),
  notKnown(
    ["Gemini, of tools beside JSON", null],
    gemini("Function calling with a response mime type: 'application/json' is unsupported"),
  ),
];

export const laterWords: readonly KnownRefusal[] = [
  ...lengths,
  ...limits,
  ...schemas,
  ...histories,
  ...contents,
  ...fields,
];
