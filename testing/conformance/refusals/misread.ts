/** Of tools, of messages in a wrong order, and of servers that lack something. */
import {
  anthropic,
  badHistory,
  badSchema,
  dashScope,
  gemini,
  type KnownRefusal,
  notKnown,
  oldVllm,
  openAi,
  refusal,
} from "./refusal";

const schemas: readonly KnownRefusal[] = [
  badSchema(
    ["OpenAI", "evalstate/fast-agent#143"],
    openAi(
      "Invalid schema for function 'mongodb-list-databases': In context=(), object schema missing properties.",
      "invalid_function_parameters",
      "tools[1].function.parameters",
    ),
  ),
  badSchema(
    ["DeepSeek", "farion1231/cc-switch#5490"],
    openAi(
      "Invalid schema for function 'update': schema must be a JSON Schema of 'type: \"object\"', got 'type: null'.",
    ),
  ),
  badSchema(
    ["Gemini", "cline/cline#7339"],
    gemini(
      "* GenerateContentRequest.tools[0].function_declarations[16].parameters.properties[includeTags].items: missing field.",
    ),
    { unread: ["tool_schema"] },
  ),
];

const histories: readonly KnownRefusal[] = [
  badHistory(
    ["OpenAI", "ThinkInAIXYZ/deepchat#1078"],
    openAi(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
    ),
  ),
  badHistory(
    ["Anthropic", "anthropics/claude-code#8210"],
    anthropic(
      "messages.167: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_0. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    ),
  ),
  badHistory(
    ["Qwen at DashScope", "QwenLM/qwen-code#606"],
    dashScope(
      'InvalidParameter: An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id".',
    ),
  ),
  badHistory(
    ["Kimi, without the thinking", "continuedev/continue#11600"],
    openAi(
      "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
    ),
  ),
  badHistory(
    ["DeepSeek, without the thinking", "decolua/9router#773"],
    openAi(
      "The `reasoning_content` in the thinking mode must be passed back to the API.",
      "invalid_request_error",
    ),
  ),
  badHistory(["OpenRouter, with the words of OpenAI inside", "ymichael/open-codex#5"], {
    error: {
      message: "Provider returned error",
      code: 400,
      metadata: {
        raw: JSON.stringify(
          openAi(
            "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
            null,
            "messages.[3].tool_call_id",
          ),
        ),
        provider_name: "OpenAI",
      },
    },
  }),
];

const others: readonly KnownRefusal[] = [
  notKnown(["Ollama, without tools", "pydantic/pydantic-ai#703"], {
    error: {
      message: "registry.ollama.ai/library/llama3:8b does not support tools",
      type: "api_error",
      param: null,
      code: null,
    },
  }),
  notKnown(["Ollama, in its own form", "ollama/ollama#14795"], {
    error: "registry.ollama.ai/library/Qwen3.5:0.8b does not support tools",
  }),
  notKnown(
    ["vLLM, without tools", "langchain4j/langchain4j#3475"],
    oldVllm(
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ),
  ),
  refusal(
    ["a proxy before the server", "alephdata/aleph#1396", 413],
    "<html><head><title>413 Request Entity Too Large</title></head></html>",
    "body_too_large",
  ),
  refusal(
    ["Bedrock, by its bytes", "langchain-ai/langchain-aws#419"],
    {
      message:
        "1 validation error detected: Value at 'body' failed to satisfy constraint: Member must have length less than or equal to 25000000",
    },
    "body_too_large",
  ),
  refusal(
    ["Anthropic, without credit", "anthropics/claude-code#4684"],
    anthropic("Your credit balance is too low to access the Anthropic API."),
    "no_channel_available",
  ),
];

export const misread: readonly KnownRefusal[] = [...schemas, ...histories, ...others];
