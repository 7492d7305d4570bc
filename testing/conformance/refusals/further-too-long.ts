/** Of conversations and caps that are too large, of servers that came later. */
import { anthropic, gemini, type KnownRefusal, openAi, overCap, overLong } from "./refusal";

const litellm = (message: string, code = "400") => ({
  error: { message, type: null, param: null, code },
});

export const furtherTooLong: readonly KnownRefusal[] = [
  overLong(
    ["LM Studio", "lmstudio-ai/lmstudio-bug-tracker#546"],
    {
      error:
        "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input.",
    },
    { allowed: 32768, asked: 111490 },
  ),
  overLong(
    ["MiniMax", "agentscope-ai/QwenPaw#1273"],
    anthropic("invalid params, context window exceeds limit (2013)"),
  ),
  overLong(
    ["Together behind LiteLLM, as Python prints it", "BerriAI/litellm#4934"],
    litellm(
      "litellm.BadRequestError: Together_aiException - Error code: 400 - {'error': {'message': 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 80125 `inputs` tokens and 4096 `max_new_tokens`', 'type': 'invalid_request_error', 'param': 'max_tokens', 'code': None}}",
    ),
    { allowed: 4097, asked: 80125 },
  ),
  overLong(
    ["xAI", "cline/cline#3120"],
    {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    },
    { allowed: 131072, asked: 136973 },
  ),
  overLong(
    ["Cerebras", "cline/cline#5140"],
    {
      message:
        "Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000",
      type: "invalid_request_error",
    },
    { allowed: 40000, asked: 42328 },
  ),
  overLong(
    ["vLLM, of its engine", "OpenBMB/MiniCPM-V#1048"],
    litellm(
      "The decoder prompt (length 2136) is longer than the maximum model length of 2048. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    ),
    { allowed: 2048, asked: 2136 },
  ),
  overLong(
    ["Xinference", "langchain-ai/deepagents#468", 500],
    {
      detail:
        "[address=0.0.0.0:43769, pid=1065] The decoder prompt (length 66501) is longer than the maximum model length of 65536. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    },
    { allowed: 65536, asked: 66501 },
  ),
  overLong(
    ["GitHub Copilot", "microsoft/copilot-intellij-feedback#94"],
    {
      error: {
        message: "prompt token count of 138898 exceeds the limit of 64000",
        code: "model_max_prompt_tokens_exceeded",
      },
    },
    { allowed: 64000, asked: 138898 },
  ),
  overLong(
    ["GitHub Models", "eslint/tsc-meetings#593", 413],
    {
      error: {
        code: "tokens_limit_reached",
        message: "Request body too large for gpt-4o model. Max size: 8000 tokens.",
        details: "Request body too large for gpt-4o model. Max size: 8000 tokens.",
      },
    },
    { allowed: 8000 },
  ),
  overLong(
    ["Bedrock, with the words of Anthropic inside", "daisuke-awaji/moca#254"],
    {
      message:
        "The model returned the following errors: prompt is too long: 200049 tokens > 200000 maximum",
    },
    { allowed: 200000, asked: 200049 },
  ),
  overLong(
    ["Gemini, without the count", "arkavo-org/arkavo-edge#371"],
    gemini("The input token count exceeds the maximum number of tokens allowed (1048576)."),
    { allowed: 1048576 },
  ),
  overLong(
    ["OpenAI, of old", "acheong08/ChatGPT#501"],
    openAi(
      "This model's maximum context length is 4097 tokens, however you requested 4116 tokens (1044 in your prompt; 3072 for the completion). Please reduce your prompt; or completion length.",
    ),
    { allowed: 4097, asked: 1044, capMax: 3053 },
  ),
  overCap(
    ["Bedrock", "charmbracelet/crush#946"],
    { message: "The maximum tokens you requested exceeds the model limit of 32768" },
    { allowed: 32768, capMax: 32768 },
  ),
  overCap(
    ["Vertex behind LiteLLM", "BerriAI/litellm#10548"],
    litellm(
      'litellm.BadRequestError: VertexAIException BadRequestError - {\n  "error": {\n    "code": 400,\n    "message": "Unable to submit request because it has a maxOutputTokens value of 65536 but the supported range is from 1 (inclusive) to 65536 (exclusive). Update the value and try again.",\n    "status": "INVALID_ARGUMENT"\n  }\n}\n. Received Model Group=gemini\nAvailable Model Group Fallbacks=None',
    ),
    { allowed: 65535, capMax: 65535 },
  ),
  overCap(
    ["DeepSeek", "nickscamara/open-deep-research#19"],
    openAi("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"),
    { allowed: 8192, capMax: 8192 },
  ),
];
