/** Of conversations that are too long. */
import {
  anthropic,
  ark,
  dashScope,
  gemini,
  type KnownRefusal,
  oldVllm,
  openAi,
  overLong,
} from "./refusal";

export const tooLong: readonly KnownRefusal[] = [
  overLong(
    ["OpenAI", "rahul2002m/ChatPDF#6"],
    openAi(
      "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens. Please reduce the length of the messages.",
      "context_length_exceeded",
      "messages",
    ),
    { allowed: 4097, asked: 6988 },
  ),
  overLong(
    ["OpenAI, by its code alone", "openai/codex#20866"],
    openAi(
      "Your input exceeds the context window of this model.",
      "context_length_exceeded",
      "input",
    ),
  ),
  overLong(
    ["Azure", "BerriAI/litellm#15968"],
    openAi(
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. Please reduce the length of the messages.",
    ),
    { allowed: 272000, asked: 509178 },
  ),
  overLong(
    ["Anthropic", "anthropics/claude-code#12186"],
    anthropic("prompt is too long: 208310 tokens > 200000 maximum"),
    { allowed: 200000, asked: 208310 },
  ),
  overLong(
    ["Anthropic, with its cap", "kortix-ai/suna#172"],
    anthropic(
      "input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000, decrease input length or `max_tokens` and try again",
    ),
    { allowed: 200000, asked: 174167, capMax: 25833 },
  ),
  overLong(["Bedrock", "aws-samples/assessment-generator#2"], {
    message: "Input is too long for requested model.",
  }),
  overLong(
    ["vLLM", "vllm-project/vllm#20409"],
    oldVllm(
      "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    ),
    { allowed: 16384, asked: 112946 },
  ),
  overLong(
    ["vLLM, with its cap", "ogx-ai/ogx#4534"],
    oldVllm(
      "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion).",
    ),
    { allowed: 6048, asked: 568, capMax: 5480 },
  ),
  overLong(
    ["vLLM 0.20", "vllm-project/vllm#42474"],
    {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, you requested 65535 output tokens and your prompt contains at least 62466 input tokens, for a total of at least 128001 tokens.",
        type: "BadRequestError",
        param: "input_tokens",
        code: 400,
      },
    },
    { allowed: 128000, asked: 62466, capMax: 65534 },
  ),
  overLong(
    ["vLLM, whose cap became negative", "vllm-project/vllm#4667"],
    oldVllm("max_tokens must be at least 1, got -186."),
  ),
  overLong(
    ["SGLang", "BerriAI/litellm#10793"],
    oldVllm("The input (9000 tokens) is longer than the model's context length (8192 tokens)."),
    { allowed: 8192, asked: 9000 },
  ),
  overLong(
    ["llama.cpp", "ggml-org/llama.cpp#19774"],
    {
      error: {
        code: 400,
        message:
          "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 4390,
        n_ctx: 4096,
      },
    },
    { allowed: 4096, asked: 4390 },
  ),
  overLong(["llama.cpp, as its own fault", "ggml-org/llama.cpp#19774", 500], {
    error: { code: 500, message: "Context size has been exceeded.", type: "server_error" },
  }),
  overLong(
    ["llama-cpp-python", "fedora-copr/logdetective-website#193"],
    openAi("Requested tokens (2285) exceed context window of 2048"),
    { allowed: 2048, asked: 2285 },
  ),
  overLong(
    ["DeepSeek", "evalstate/fast-agent#621"],
    openAi(
      "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion).",
      "invalid_request_error",
    ),
    { allowed: 131072, asked: 122942, capMax: 8130 },
  ),
  overLong(
    ["Kimi", "MoonshotAI/kimi-cli#2011"],
    openAi("Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)"),
    { allowed: 262144, asked: 269030 },
  ),
  overLong(
    ["Qwen at DashScope", "agentscope-ai/QwenPaw#6255"],
    dashScope("InvalidParameter: Range of input length should be [1, 983616]"),
    { allowed: 983616 },
  ),
  overLong(
    ["GLM at Zhipu", "zai-org/Open-AutoGLM#195"],
    {
      error: {
        code: "1210",
        message:
          "API 调用参数有误，请检查文档。Requested token count exceeds the model's maximum context length of 25480 tokens. You requested a total of 25515 tokens: 22515 tokens from the input messages and 3000 tokens for the completion.",
      },
    },
    { allowed: 25480, asked: 22515, capMax: 2965 },
  ),
  overLong(
    ["Ark", "agentscope-ai/QwenPaw#272"],
    ark("Total tokens of image and text exceed max message tokens."),
  ),
  overLong(
    ["Mistral", "BerriAI/litellm#21647"],
    openAi(
      "Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",
    ),
    { allowed: 131072, asked: 140000 },
  ),
  overLong(
    ["Gemini, whose body is a list", "google-gemini/gemini-cli#6678"],
    [
      gemini(
        "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
      ),
    ],
    { allowed: 1048576, asked: 1200293 },
  ),
  overLong(
    ["OpenRouter", "OpenHands/OpenHands#9937"],
    {
      error: {
        code: 400,
        message:
          "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131072 in the output).",
      },
    },
    { allowed: 131072, asked: 7884, capMax: 123188 },
  ),
  overLong(
    ["Together", "stanford-crfm/helm#2079", 422],
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2019 `inputs` tokens and 30 `max_new_tokens`",
      error_type: "validation",
    },
    { allowed: 2048, asked: 2019, capMax: 29 },
  ),
  overLong(["Groq, over the tokens of a minute", "cottongeeks/podscript#20", 413], {
    error: {
      message:
        "Request too large for model `llama` in organization `org_secret` on tokens per minute (TPM): Limit 6000, Requested 10338, please reduce your message size and try again.",
      type: "tokens",
      code: "rate_limit_exceeded",
    },
  }),
  overLong(
    ["OpenAI, over the tokens of a minute", "vanna-ai/vanna-flask#11", 429],
    openAi(
      "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.",
      "rate_limit_exceeded",
    ),
  ),
];
