/** Of contents, pictures, tools and histories, of servers that came later. */
import {
  anthropic,
  badHistory,
  badSchema,
  gemini,
  type KnownRefusal,
  notKnown,
  oldVllm,
  openAi,
  rejected,
} from "./refusal";

const within = (raw: object) => ({
  error: {
    message: "Provider returned error",
    code: 400,
    metadata: { raw: JSON.stringify(raw), provider_name: "Anthropic" },
  },
});

const contents: readonly KnownRefusal[] = [
  rejected(
    ["Anthropic, of its own answer", "anthropics/claude-code#6195"],
    anthropic("Output blocked by content filtering policy"),
  ),
  rejected(["xAI", "UKGovernmentBEIS/inspect_ai#2267", 403], {
    code: "The caller does not have permission to execute the specified operation",
    error:
      "Content violates usage guidelines. Team: a, API key ID: b, Model: grok-4-0709, Failed check: SAFETY_CHECK_TYPE_BIO",
  }),
];

const pictures: readonly KnownRefusal[] = [
  notKnown(
    ["DeepSeek, of pictures", "BenedictKing/ccx#95"],
    openAi(
      "Failed to deserialize the JSON body into the target type: messages[11]: unknown variant `image_url`, expected `text` at line 1 column 53929",
      "invalid_request_error",
    ),
  ),
  notKnown(
    ["DeepSeek behind a gateway, of pictures", "boldsoftware/shelley#224"],
    openAi(
      "Error from provider (DeepSeek): Failed to deserialize the JSON body into the target type: messages[188]: unknown variant `image_url`, expected `text` at line 1 column 182450",
    ),
  ),
  notKnown(["MiMo, of pictures", "JohnnyZ93/oai-compatible-copilot#229", 404], {
    error: {
      code: "404",
      message: "No endpoints found that support image input",
      param: "",
      type: "",
    },
  }),
  notKnown(["llama.cpp, of pictures", "ggml-org/llama.cpp#13566", 500], {
    error: {
      code: 500,
      message: "image input is not supported by this server",
      type: "server_error",
    },
  }),
  notKnown(["llama.cpp, of pictures, earlier", "ggml-org/llama.cpp#12947", 500], {
    error: {
      code: 500,
      message:
        'Failed to parse messages: Unsupported content part type: "image_url"; messages = []',
      type: "server_error",
    },
  }),
];

const tools: readonly KnownRefusal[] = [
  notKnown(["OpenRouter, of the choice of a tool", "zed-industries/zed#36094", 404], {
    error: {
      message:
        "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
      code: 404,
    },
  }),
  badSchema(
    ["OpenRouter, with the words of Anthropic inside", "tailcallhq/forgecode#892"],
    within(anthropic("tools: Tool names must be unique.")),
  ),
  badSchema(
    ["DeepSeek, of a long name", "mrexodia/ida-pro-mcp#129"],
    openAi(
      "Invalid 'tools[43].function.name': string too long. Expected a string with maximum length 64, but got a string with length 71 instead.",
      "string_above_max_length",
      "tools[43].function.name",
    ),
  ),
  badSchema(["Bedrock, of a long name", "microsoft/mcp#842"], {
    message:
      "operation error Bedrock Runtime: ConverseStream, https response error StatusCode: 400, RequestID: 8ee6135b-023a-438e-a885-e92eab8aef31, ValidationException: 3 validation errors detected: Value 'a' at 'toolConfig.tools.111.member.toolSpec.name' failed to satisfy constraint: Member must have length less than or equal to 64",
  }),
  badSchema(
    ["Anthropic, of a long name", "mims-harvard/ToolUniverse#35"],
    anthropic(
      "tools.585.FrontendRemoteMcpToolDefinition.name: String should have at most 64 characters",
    ),
  ),
];

const histories: readonly KnownRefusal[] = [
  badHistory(
    ["MiniMax", "anomalyco/opencode#32614"],
    anthropic("invalid params, tool call result does not follow tool call (2013)"),
  ),
  badHistory(
    ["MiniMax behind LiteLLM", "agent0ai/agent-zero#1754"],
    openAi(
      'litellm.BadRequestError: OpenAIException - {"error":{"message":"invalid params, tool result\'s tool id(call_function_z1pbgy47368b_1) not found (2013)","code":"invalid_prompt"}}',
    ),
  ),
  badHistory(["MiniMax, of arguments", "earendil-works/pi#5468"], {
    type: "error",
    error: {
      type: "bad_request_error",
      message:
        "invalid params, invalid function arguments json string, tool_call_id: call_function_abraty2ssz2_1 (2013)",
      http_code: "400",
    },
  }),
  badHistory(
    ["Mistral, of an order", "nicholasgriffintn/ai-platform#414"],
    { ...oldVllm("Unexpected role 'user' after role 'tool'"), type: "invalid_request_error" },
    { unread: ["turns"] },
  ),
  badHistory(
    ["Kimi, of an order", "OpenMinis/OpenMinis#293"],
    openAi("Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"),
  ),
  notKnown(
    ["Gemini, of a signature", "lbjlaq/Antigravity-Manager#3202"],
    gemini(
      "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.",
    ),
    "call_signature",
  ),
  notKnown(
    ["Mistral, of ids", "nearai/ironclaw#1241"],
    {
      object: "error",
      message: "Tool call id was turn1_0 but must be a-z, A-Z, 0-9, with a length of 9.",
      type: "invalid_function_call",
      param: null,
      code: "3280",
    },
    "call_ids",
  ),
];

export const furtherMisread: readonly KnownRefusal[] = [
  ...contents,
  ...pictures,
  ...tools,
  ...histories,
];
