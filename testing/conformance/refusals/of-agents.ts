/** Of what agents of 2026 send. */
import {
  anthropic,
  badHistory,
  badSchema,
  gemini,
  type KnownRefusal,
  notKnown,
  openAi,
  refusal,
} from "./refusal";

const flavour = "tools.function.parameters is not a valid moonshot flavored json schema, details: ";
const plainSchema = { unread: ["tool_schema"] } as const;

const ofSchemas: readonly KnownRefusal[] = [
  badSchema(
    ["Kimi, of choices in a schema", "MoonshotAI/kimi-cli#2531"],
    openAi(
      `${flavour}<At path 'root': when using anyOf, type should be defined in anyOf items instead of the parent schema>`,
    ),
    plainSchema,
  ),
  badSchema(
    ["Kimi, of a reference in a schema", "MoonshotAI/kimi-cli#2061"],
    openAi(
      `${flavour}<At path 'properties.assetRef': conflicting keywords found after $ref expansion: description>`,
    ),
    plainSchema,
  ),
  badSchema(
    ["Kimi, of where a reference leads", "CommandCodeAI/command-code#594"],
    openAi(
      `Invalid request: ${flavour}<At path 'properties.filters.properties.hiddenPageDuration.$ref': references must start with #/$defs/>`,
    ),
    plainSchema,
  ),
  badSchema(
    ["Kimi behind a gateway, of a missing type", "earendil-works/pi#4138"],
    {
      error: {
        message: `Provider returned error\n${JSON.stringify(openAi(`Invalid request: ${flavour}<At path 'properties.source': type is not defined>`))}`,
      },
    },
    plainSchema,
  ),
  badSchema(
    ["Kimi behind two gateways, of choices", "anomalyco/opencode#41276"],
    openAi(
      `Error from provider (Console Go): Upstream request failed: [invalid_request_error] Invalid request: ${flavour}<At path 'root': when using anyOf, type should be defined in anyOf items instead of the parent schema>`,
    ),
    plainSchema,
  ),
  badSchema(
    ["Anthropic, of choices at the top of a schema", "anthropics/claude-code#56174"],
    anthropic(
      "tools.68.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    ),
  ),
  badSchema(
    ["DeepSeek, of null in a schema", "rikkahub/rikkahub#1107"],
    openAi(
      "Invalid schema for function 'get_current_time': null is not of types '\"boolean\"', '\"object\"'",
    ),
  ),
];

const ofFiles: readonly KnownRefusal[] = [
  notKnown(
    ["Gemini, of files", "BerriAI/litellm#11529"],
    gemini("Invalid content part type: file"),
    "file_parts",
  ),
  notKnown(
    ["Qwen at DashScope, of files", "QwenLM/qwen-code#1838"],
    openAi(
      "Invalid value: file. Supported values are: 'text','image_url','video_url' and 'video'.",
    ),
    "file_parts",
  ),
  notKnown(
    ["vLLM, of files", "langchain-ai/openwiki#171"],
    openAi("Unsupported chat content part type: 'file'. Supported types: 'text', 'image_url'."),
    "file_parts",
  ),
  notKnown(
    ["vLLM, of files, as its own fault", "langchain-ai/openwiki#63", 500],
    { error: { message: "NotImplementedError: Unknown part type: file", code: 500 } },
    "file_parts",
  ),
];

export const ofAgents: readonly KnownRefusal[] = [
  ...ofSchemas,
  ...ofFiles,
  notKnown(
    ["a Responses API behind a gateway, of instructions", "justlovemaki/AIClient2API#632"],
    { detail: "System messages are not allowed" },
    "system",
  ),
  notKnown(
    ["Bedrock, of calls without tools", "vxcontrol/pentagi#160"],
    openAi(
      "operation error Bedrock Runtime: Converse, https response error StatusCode: 400, RequestID: fb82c3b1-af04-4405-8958-999d7a5e39c4, ValidationException: The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    ),
    "calls_without_tools",
  ),
  notKnown(
    ["MiniMax, of instructions", "BigPizzaV3/CodexPlusPlus#267"],
    anthropic(
      "invalid params, chat content has invalid message role: system (2013)",
      "bad_request_error",
    ),
    "system_later",
  ),
  notKnown(
    ["MiniMax, of thinking with a budget", "CherryHQ/cherry-studio#16431"],
    anthropic(
      'invalid params, invalid thinking.type: "enabled" (allowed: adaptive, disabled) (2013)',
      "bad_request_error",
    ),
    "thinking_enabled",
  ),
  badHistory(["GLM at Zhipu, of a part without a text", "agentscope-ai/QwenPaw#287"], {
    error: { code: "1214", message: "messages[20].content[0].text:text cannot be empty." },
  }),
  notKnown(
    ["Cerebras, of thinking", "Kilo-Org/kilocode#10375"],
    {
      message:
        "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
      ...{ type: "invalid_request_error", param: "validation_error", code: "wrong_api_format" },
    },
    "reasoning_content",
  ),
  notKnown(
    ["Cerebras, of words in a schema of the answer", "musistudio/claude-code-router#708"],
    {
      message: "Unsupported JSON schema fields: {'minItems', 'items'}",
      ...{ type: "invalid_request_error", param: "response_format", code: "wrong_api_format" },
    },
    "json_schema",
  ),
  notKnown(
    ["Cerebras, of strict tools", "livekit/agents#3134"],
    openAi("Tools with strict=True are not supported by this model"),
    "strict",
  ),
  notKnown(
    ["LM Studio, of a choice of one tool", "antropia-studio/linguito#21"],
    { error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required" },
    "named_choice",
  ),
  notKnown(
    ["Ollama, of an effort", "ollama/ollama#12561"],
    openAi('think value "medium" is not supported for this model'),
    "reasoning_effort",
  ),
  notKnown(
    ["a gateway, of a field of thinking", "decolua/9router#4077"],
    openAi(
      'Error from provider (Console Go): Upstream request failed: [invalid_request_error] invalid request body: json: unknown field "thinking"',
      null,
      "thinking",
    ),
  ),
  badHistory(
    ["DeepSeek behind a gateway, without the thinking", "esengine/DeepSeek-Reasonix#10210"],
    openAi(
      "Upstream request failed: [invalid_request_error] The `reasoning_content` in the thinking mode must be passed back to the API.",
    ),
  ),
  refusal(
    ["OpenAI behind GitHub Copilot, of 309 tools", "caozhiyuan/copilot-api#188"],
    {
      error: {
        message: JSON.stringify({
          error: {
            message:
              "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 309 instead.",
            code: "invalid_request_body",
          },
        }),
        type: "error",
      },
    },
    "unsupported_value",
    { allowed: 128, asked: 309 },
  ),
  refusal(
    ["Groq, of a call that the model wrote wrong", "huggingface/smolagents#1119"],
    {
      error: {
        message:
          "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        ...{ type: "invalid_request_error", code: "tool_use_failed" },
        failed_generation: '<function=get_time{"at": 1}</function>',
      },
    },
    "upstream_failed",
  ),
];
