/** Of forms and fields that are not known, of servers that came later. */
import { anthropic, gemini, type KnownRefusal, notKnown, openAi, refusal } from "./refusal";

export const furtherUnread: readonly KnownRefusal[] = [
  notKnown(
    ["SGLang, as Python prints it", "sgl-project/sglang#14304"],
    {
      object: "error",
      message:
        "[{'type': 'value_error', 'loc': ('body', 'messages', 0, 'ChatCompletionMessageGenericParam', 'role'), 'msg': \"Value error, 'role' must be one of 'system', 'assistant', 'tool', or 'function' (case-insensitive).\", 'input': 'developer', 'ctx': {'error': ValueError(\"'role' must be one of 'system', 'assistant', 'tool', or 'function' (case-insensitive).\")}}, {'type': 'literal_error', 'loc': ('body', 'messages', 0, 'ChatCompletionMessageUserParam', 'role'), 'msg': \"Input should be 'user'\", 'input': 'developer', 'ctx': {'expected': \"'user'\"}}]",
      type: "Bad Request",
      param: null,
      code: 400,
    },
    "developer",
  ),
  notKnown(
    ["vLLM behind another server", "ogx-ai/ogx#6069"],
    {
      error: {
        message:
          "Error code: 400 - {'error': {'message': 'Unexpected message role.', 'type': 'BadRequestError', 'param': None, 'code': 400}}",
      },
    },
    "developer",
  ),
  notKnown(
    ["Qwen at DashScope, as an event", "maotoumao/Cebian#46"],
    `data: {"error":{"code":"invalid_parameter_error","param":null,"message":"developer is not one of ['system', 'assistant', 'user', 'tool', 'function']","type":"invalid_request_error"},"id":"chatcmpl-aaca8aff"}\n\n`,
    "developer",
  ),
  notKnown(
    ["DeepSeek, of parts, of another version", "browser-use/browser-use#159", 422],
    openAi(
      "Failed to deserialize the JSON body into the target type: messages[2]: data did not match any variant of untagged enum ChatCompletionRequestContent at line 1 column 15700",
    ),
    "content_parts",
  ),
  refusal(
    ["Fireworks, of options of a stream", "FlowiseAI/Flowise#2866"],
    { error: { message: "Extra inputs are not permitted, field: 'stream_options'" } },
    "no_channel_available",
    { unread: ["stream_options"] },
  ),
  notKnown(["Fireworks, of a field within a tool", "anomalyco/opencode#24696"], {
    error: {
      message:
        "13 request validation errors: Extra inputs are not permitted, field: 'tools[0].eager_input_streaming', value: True; Extra inputs are not permitted, field: 'tools[1].eager_input_streaming', value: True",
    },
  }),
  notKnown(
    ["vLLM, as Python prints it", "1Panel-dev/MaxKB#2912"],
    {
      object: "error",
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted', 'input': 800}]",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    "max_completion_tokens",
  ),
  notKnown(
    ["Bedrock behind LiteLLM", "BerriAI/litellm#13825"],
    openAi(
      'litellm.BadRequestError: BedrockException - {"message":"The model returned the following errors: guardrails: Extra inputs are not permitted"}. Received Model Group=a\nAvailable Model Group Fallbacks=None',
      "400",
    ),
  ),
  refusal(
    ["Databricks", "continuedev/continue#12936"],
    { error_code: "BAD_REQUEST", message: 'Bad request: json: unknown field "stream_options"\n' },
    "no_channel_available",
    { unread: ["stream_options"] },
  ),
  notKnown(
    ["Gemini, of parallel calls", "jackmpcollins/magentic#382"],
    [
      gemini(
        'Invalid JSON payload received. Unknown name "parallel_tool_calls": Cannot find field.',
      ),
    ],
    "parallel_tool_calls",
  ),
  notKnown(
    ["LiteLLM, of parallel calls", "BerriAI/litellm#4639", 500],
    {
      error: {
        message:
          "litellm.APIConnectionError: APIConnectionError: OpenAIException - AsyncCompletions.create() got an unexpected keyword argument 'parallel_tool_calls'",
        type: null,
        param: null,
        code: 500,
      },
    },
    "parallel_tool_calls",
  ),
  notKnown(
    ["xAI, of a penalty", "yym68686/uni-api#105"],
    {
      code: "Client specified an invalid argument",
      error: "Argument not supported on this model: presencePenalty",
    },
    "presence_penalty",
  ),
  notKnown(
    ["xAI, of effort", "lobehub/lobehub#14175"],
    {
      code: "invalid-argument",
      error: "Model grok-4.20-0309-reasoning does not support parameter reasoningEffort.",
    },
    "reasoning_effort",
  ),
  notKnown(
    ["OpenAI, of a temperature", "QwenLM/qwen-code#921"],
    openAi(
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      "unsupported_value",
      "temperature",
    ),
    "temperature",
  ),
  notKnown(
    ["Kimi, of a temperature", "XCNXNXNX/dsh-portable-tavern#1"],
    openAi("invalid temperature: only 1 is allowed for this model"),
    "temperature",
  ),
  refusal(
    ["OpenAI behind New API, of streams", "langgenius/dify#8615"],
    openAi(
      "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported. (request id: 202409210905172535451920nkD7l6j)",
      "unsupported_value",
      "stream",
    ),
    "no_channel_available",
    { unread: ["stream_options"] },
  ),
  notKnown(
    ["OpenAI, of pictures in the results of tools", "dreadnode/rigging#41"],
    openAi(
      "Invalid 'messages[3]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
      "invalid_value",
      "messages[3]",
    ),
    "tool_images",
  ),
  notKnown(
    ["OpenAI, of pictures of the model", "openai/openai-node#1030"],
    openAi(
      "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'assistant' contains an image URL.",
    ),
    "tool_images",
  ),
  notKnown(
    ["Anthropic, of a member of a call", "anthropics/claude-code#4378"],
    anthropic("messages.65.content.1.tool_use.text: Extra inputs are not permitted"),
  ),
];
