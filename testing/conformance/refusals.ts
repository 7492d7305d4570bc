/** Refusals that users of real servers met, each with its public thread, and what they mean. */
import type { Reading } from "@/lib/contract/channel-profile";
import type { UpstreamFailure } from "@/lib/upstream/provider";

export interface KnownRefusal {
  /** Whose server answers so. */
  readonly maker: string;
  /** Owner, repository and number at GitHub. */
  readonly thread: string;
  readonly status: number;
  readonly body: unknown;
  readonly code: UpstreamFailure["code"];
  /** The tokens that fit, or the largest cap, as the words say. */
  readonly allowed?: number;
  readonly asked?: number;
  /** The cap with which the request would have been taken. */
  readonly capMax?: number;
  readonly unread?: readonly Reading[];
}

const openAi = (message: string, code: string | null = null, param: string | null = null) => ({
  error: { message, type: "invalid_request_error", param, code },
});
const anthropic = (message: string, type = "invalid_request_error") => ({
  type: "error",
  error: { type, message },
});
const oldVllm = (message: string) => ({
  object: "error",
  message,
  type: "BadRequestError",
  param: null,
  code: 400,
});
const dashScope = (message: string, code = "invalid_parameter_error") => ({
  error: { code, message: `<400> InternalError.Algo.${message}`, param: null, type: code },
  request_id: "81a3",
});
const ark = (message: string, param = "", code = "InvalidParameter") => ({
  error: { code, message: `${message} Request id: 0217`, param, type: "BadRequest" },
});
const gemini = (message: string) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } });
const mistral = (...names: string[]) => ({
  detail: names.map((name) => ({
    type: "extra_forbidden",
    loc: ["body", name],
    msg: "Extra inputs are not permitted",
    input: false,
  })),
});

const tooLong: readonly KnownRefusal[] = [
  {
    maker: "OpenAI",
    thread: "rahul2002m/ChatPDF#6",
    status: 400,
    body: openAi(
      "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens. Please reduce the length of the messages.",
      "context_length_exceeded",
      "messages",
    ),
    code: "context_length_exceeded",
    allowed: 4097,
    asked: 6988,
  },
  {
    maker: "OpenAI, by its code alone",
    thread: "openai/codex#20866",
    status: 400,
    body: openAi(
      "Your input exceeds the context window of this model.",
      "context_length_exceeded",
      "input",
    ),
    code: "context_length_exceeded",
  },
  {
    maker: "Azure",
    thread: "BerriAI/litellm#15968",
    status: 400,
    body: openAi(
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. Please reduce the length of the messages.",
    ),
    code: "context_length_exceeded",
    allowed: 272000,
    asked: 509178,
  },
  {
    maker: "Anthropic",
    thread: "anthropics/claude-code#12186",
    status: 400,
    body: anthropic("prompt is too long: 208310 tokens > 200000 maximum"),
    code: "context_length_exceeded",
    allowed: 200000,
    asked: 208310,
  },
  {
    maker: "Anthropic, with its cap",
    thread: "kortix-ai/suna#172",
    status: 400,
    body: anthropic(
      "input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000, decrease input length or `max_tokens` and try again",
    ),
    code: "context_length_exceeded",
    allowed: 200000,
    asked: 174167,
    capMax: 25833,
  },
  {
    maker: "Bedrock",
    thread: "aws-samples/assessment-generator#2",
    status: 400,
    body: { message: "Input is too long for requested model." },
    code: "context_length_exceeded",
  },
  {
    maker: "vLLM",
    thread: "vllm-project/vllm#20409",
    status: 400,
    body: oldVllm(
      "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    ),
    code: "context_length_exceeded",
    allowed: 16384,
    asked: 112946,
  },
  {
    maker: "vLLM, with its cap",
    thread: "ogx-ai/ogx#4534",
    status: 400,
    body: oldVllm(
      "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion).",
    ),
    code: "context_length_exceeded",
    allowed: 6048,
    asked: 568,
    capMax: 5480,
  },
  {
    maker: "vLLM 0.20",
    thread: "vllm-project/vllm#42474",
    status: 400,
    body: {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, you requested 65535 output tokens and your prompt contains at least 62466 input tokens, for a total of at least 128001 tokens.",
        type: "BadRequestError",
        param: "input_tokens",
        code: 400,
      },
    },
    code: "context_length_exceeded",
    allowed: 128000,
    asked: 62466,
    capMax: 65534,
  },
  {
    maker: "vLLM, whose cap became negative",
    thread: "vllm-project/vllm#4667",
    status: 400,
    body: oldVllm("max_tokens must be at least 1, got -186."),
    code: "context_length_exceeded",
  },
  {
    maker: "SGLang",
    thread: "BerriAI/litellm#10793",
    status: 400,
    body: oldVllm(
      "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
    ),
    code: "context_length_exceeded",
    allowed: 8192,
    asked: 9000,
  },
  {
    maker: "llama.cpp",
    thread: "ggml-org/llama.cpp#19774",
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 4390,
        n_ctx: 4096,
      },
    },
    code: "context_length_exceeded",
    allowed: 4096,
    asked: 4390,
  },
  {
    maker: "llama.cpp, as its own fault",
    thread: "ggml-org/llama.cpp#19774",
    status: 500,
    body: {
      error: { code: 500, message: "Context size has been exceeded.", type: "server_error" },
    },
    code: "context_length_exceeded",
  },
  {
    maker: "llama-cpp-python",
    thread: "fedora-copr/logdetective-website#193",
    status: 400,
    body: openAi("Requested tokens (2285) exceed context window of 2048"),
    code: "context_length_exceeded",
    allowed: 2048,
    asked: 2285,
  },
  {
    maker: "DeepSeek",
    thread: "evalstate/fast-agent#621",
    status: 400,
    body: openAi(
      "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion).",
      "invalid_request_error",
    ),
    code: "context_length_exceeded",
    allowed: 131072,
    asked: 122942,
    capMax: 8130,
  },
  {
    maker: "Kimi",
    thread: "MoonshotAI/kimi-cli#2011",
    status: 400,
    body: openAi(
      "Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)",
    ),
    code: "context_length_exceeded",
    allowed: 262144,
    asked: 269030,
  },
  {
    maker: "Qwen at DashScope",
    thread: "agentscope-ai/QwenPaw#6255",
    status: 400,
    body: dashScope("InvalidParameter: Range of input length should be [1, 983616]"),
    code: "context_length_exceeded",
    allowed: 983616,
  },
  {
    maker: "GLM at Zhipu",
    thread: "zai-org/Open-AutoGLM#195",
    status: 400,
    body: {
      error: {
        code: "1210",
        message:
          "API 调用参数有误，请检查文档。Requested token count exceeds the model's maximum context length of 25480 tokens. You requested a total of 25515 tokens: 22515 tokens from the input messages and 3000 tokens for the completion.",
      },
    },
    code: "context_length_exceeded",
    allowed: 25480,
    asked: 22515,
    capMax: 2965,
  },
  {
    maker: "Ark",
    thread: "agentscope-ai/QwenPaw#272",
    status: 400,
    body: ark("Total tokens of image and text exceed max message tokens."),
    code: "context_length_exceeded",
  },
  {
    maker: "Mistral",
    thread: "BerriAI/litellm#21647",
    status: 400,
    body: openAi(
      "Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",
    ),
    code: "context_length_exceeded",
    allowed: 131072,
    asked: 140000,
  },
  {
    maker: "Gemini, whose body is a list",
    thread: "google-gemini/gemini-cli#6678",
    status: 400,
    body: [
      gemini(
        "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
      ),
    ],
    code: "context_length_exceeded",
    allowed: 1048576,
    asked: 1200293,
  },
  {
    maker: "OpenRouter",
    thread: "OpenHands/OpenHands#9937",
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131072 in the output).",
      },
    },
    code: "context_length_exceeded",
    allowed: 131072,
    asked: 7884,
    capMax: 123188,
  },
  {
    maker: "Together",
    thread: "stanford-crfm/helm#2079",
    status: 422,
    body: {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2019 `inputs` tokens and 30 `max_new_tokens`",
      error_type: "validation",
    },
    code: "context_length_exceeded",
    allowed: 2048,
    asked: 2019,
    capMax: 29,
  },
  {
    maker: "Groq, over the tokens of a minute",
    thread: "cottongeeks/podscript#20",
    status: 413,
    body: {
      error: {
        message:
          "Request too large for model `llama` in organization `org_secret` on tokens per minute (TPM): Limit 6000, Requested 10338, please reduce your message size and try again.",
        type: "tokens",
        code: "rate_limit_exceeded",
      },
    },
    code: "context_length_exceeded",
  },
  {
    maker: "OpenAI, over the tokens of a minute",
    thread: "vanna-ai/vanna-flask#11",
    status: 429,
    body: openAi(
      "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.",
      "rate_limit_exceeded",
    ),
    code: "context_length_exceeded",
  },
];

const caps: readonly KnownRefusal[] = [
  {
    maker: "Anthropic",
    thread: "anthropics/claude-code#11302",
    status: 400,
    body: anthropic(
      "max_tokens: 21333 > 4096, which is the maximum allowed number of output tokens for claude-3-opus-20240229",
    ),
    code: "max_tokens_too_large",
    allowed: 4096,
    capMax: 4096,
  },
  {
    maker: "Ark",
    thread: "langgenius/dify#14376",
    status: 400,
    body: ark(
      "The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 4096, but got 8192 instead.",
      "max_tokens",
    ),
    code: "max_tokens_too_large",
    allowed: 4096,
    capMax: 4096,
  },
  {
    maker: "Groq",
    thread: "RooCodeInc/Roo-Code#5729",
    status: 400,
    body: openAi(
      "`max_tokens` must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model",
      null,
      "max_tokens",
    ),
    code: "max_tokens_too_large",
    allowed: 16384,
    capMax: 16384,
  },
  {
    maker: "Text Generation Inference",
    thread: "huggingface/transformers#28523",
    status: 422,
    body: { error: "Input validation error: `max_new_tokens` must be <= 192. Given: 200" },
    code: "max_tokens_too_large",
    allowed: 192,
    capMax: 192,
  },
  {
    maker: "GLM at Zhipu",
    thread: "lobehub/lobehub#1398",
    status: 400,
    body: { error: { code: "1214", message: "max_tokens参数非法。请检查文档。" } },
    code: "max_tokens_too_large",
  },
];

const contents: readonly KnownRefusal[] = [
  {
    maker: "Azure",
    thread: "vibrantlabsai/ragas#649",
    status: 400,
    body: {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
        innererror: { code: "ResponsibleAIPolicyViolation" },
      },
    },
    code: "content_rejected",
  },
  {
    maker: "DeepSeek",
    thread: "666ghj/BettaFish#108",
    status: 400,
    body: openAi("Content Exists Risk", "invalid_request_error"),
    code: "content_rejected",
  },
  {
    maker: "Qwen at DashScope",
    thread: "camel-ai/owl#432",
    status: 400,
    body: {
      error: {
        code: "data_inspection_failed",
        param: null,
        message: "Input data may contain inappropriate content.",
        type: "data_inspection_failed",
      },
    },
    code: "content_rejected",
  },
  {
    maker: "Kimi",
    thread: "MoonshotAI/kimi-cli#1002",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "The request was rejected because it was considered high risk",
        param: "prompt",
        type: "content_filter",
      },
    },
    code: "content_rejected",
  },
  {
    maker: "GLM at Zhipu",
    thread: "langchain4j/langchain4j#1079",
    status: 400,
    body: { error: { code: "1301", message: "系统检测到输入或生成内容可能包含不安全或敏感内容" } },
    code: "content_rejected",
  },
  {
    maker: "MiniMax",
    thread: "esengine/DeepSeek-Reasonix#6818",
    status: 422,
    body: { error: { message: "input new_sensitive (1026)", type: "bad_request_error" } },
    code: "content_rejected",
  },
];

const images: readonly KnownRefusal[] = [
  {
    maker: "OpenAI",
    thread: "STranslate/STranslate#277",
    status: 400,
    body: openAi(
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
      "invalid_image_format",
    ),
    code: "invalid_image",
  },
  {
    maker: "Anthropic",
    thread: "anthropics/claude-code#39534",
    status: 400,
    body: anthropic("Could not process image"),
    code: "invalid_image",
  },
  {
    maker: "Anthropic, by its size",
    thread: "anthropics/claude-code#19631",
    status: 400,
    body: anthropic(
      "messages.2.content.0.image.source.base64: image exceeds 5 MB maximum: 8259148 bytes > 5242880 bytes",
    ),
    code: "invalid_image",
  },
  {
    maker: "Anthropic, by its sides",
    thread: "anthropics/claude-code#4778",
    status: 400,
    body: anthropic(
      "messages.7.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    ),
    code: "invalid_image",
  },
];

const schemas: readonly KnownRefusal[] = [
  {
    maker: "OpenAI",
    thread: "evalstate/fast-agent#143",
    status: 400,
    body: openAi(
      "Invalid schema for function 'mongodb-list-databases': In context=(), object schema missing properties.",
      "invalid_function_parameters",
      "tools[1].function.parameters",
    ),
    code: "invalid_tool_schema",
  },
  {
    maker: "DeepSeek",
    thread: "farion1231/cc-switch#5490",
    status: 400,
    body: openAi(
      "Invalid schema for function 'update': schema must be a JSON Schema of 'type: \"object\"', got 'type: null'.",
    ),
    code: "invalid_tool_schema",
  },
  {
    maker: "Gemini",
    thread: "cline/cline#7339",
    status: 400,
    body: gemini(
      "* GenerateContentRequest.tools[0].function_declarations[16].parameters.properties[includeTags].items: missing field.",
    ),
    code: "invalid_tool_schema",
  },
];

const histories: readonly KnownRefusal[] = [
  {
    maker: "OpenAI",
    thread: "ThinkInAIXYZ/deepchat#1078",
    status: 400,
    body: openAi(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
    ),
    code: "invalid_history",
  },
  {
    maker: "Anthropic",
    thread: "anthropics/claude-code#8210",
    status: 400,
    body: anthropic(
      "messages.167: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_0. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    ),
    code: "invalid_history",
  },
  {
    maker: "Qwen at DashScope",
    thread: "QwenLM/qwen-code#606",
    status: 400,
    body: dashScope(
      'InvalidParameter: An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id".',
    ),
    code: "invalid_history",
  },
  {
    maker: "Kimi, without the thinking",
    thread: "continuedev/continue#11600",
    status: 400,
    body: openAi(
      "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
    ),
    code: "invalid_history",
  },
  {
    maker: "DeepSeek, without the thinking",
    thread: "decolua/9router#773",
    status: 400,
    body: openAi(
      "The `reasoning_content` in the thinking mode must be passed back to the API.",
      "invalid_request_error",
    ),
    code: "invalid_history",
  },
  {
    maker: "OpenRouter, with the words of OpenAI inside",
    thread: "ymichael/open-codex#5",
    status: 400,
    body: {
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
    },
    code: "invalid_history",
  },
];

const unread: readonly KnownRefusal[] = [
  {
    maker: "DeepSeek",
    thread: "earendil-works/pi#1048",
    status: 400,
    body: openAi(
      "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool` at line 1 column 85",
    ),
    code: "unsupported_value",
    unread: ["developer"],
  },
  {
    maker: "Qwen at DashScope",
    thread: "DayuanJiang/next-ai-draw-io#304",
    status: 400,
    body: openAi(
      "developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['0].role'",
    ),
    code: "unsupported_value",
    unread: ["developer"],
  },
  {
    maker: "GLM at Zhipu",
    thread: "vastsa/PI-Desktop#30",
    status: 400,
    body: openAi("[1214] Incorrect role information"),
    code: "unsupported_value",
    unread: ["developer"],
  },
  {
    maker: "llama.cpp, by its template",
    thread: "peonist-ai/halogen-flash-server#32",
    status: 500,
    body: openAi("chat template rejected the request: Unexpected message role."),
    code: "unsupported_value",
    unread: ["developer"],
  },
  {
    maker: "DeepSeek, of parts",
    thread: "cline/cline#230",
    status: 422,
    body: openAi(
      "Failed to deserialize the JSON body into the target type: messages[1]: invalid type: sequence, expected a string at line 17 column 3",
    ),
    code: "unsupported_value",
    unread: ["content_parts"],
  },
  {
    maker: "Qwen at a reseller, of parts",
    thread: "CherryHQ/cherry-studio#3474",
    status: 400,
    body: { code: 20015, message: "Input should be a valid string", data: null },
    code: "unsupported_value",
    unread: ["content_parts", "content_null"],
  },
  {
    maker: "LM Studio, of null",
    thread: "lmstudio-ai/lmstudio-bug-tracker#261",
    status: 400,
    body: { error: "Invalid 'content': 'content' field must be a string or an array of objects." },
    code: "unsupported_value",
    unread: ["content_null"],
  },
  {
    maker: "DeepSeek, of a schema",
    thread: "llm-exe/llm-exe#662",
    status: 400,
    body: openAi("This response_format type is unavailable now", "invalid_request_error"),
    code: "unsupported_value",
    unread: ["json_schema"],
  },
  {
    maker: "DeepSeek, of a schema, earlier",
    thread: "browser-use/browser-use#215",
    status: 422,
    body: openAi(
      "Failed to deserialize the JSON body into the target type: response_format: response_format.type `json_schema` is unavailable now at line 1 column 12440",
    ),
    code: "unsupported_value",
    unread: ["json_schema"],
  },
  {
    maker: "OpenAI, of the old cap",
    thread: "microsoft/clarity-agent#59",
    status: 400,
    body: openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "unsupported_parameter",
      "max_tokens",
    ),
    code: "unsupported_value",
    unread: ["max_tokens"],
  },
  {
    maker: "Azure, of parallel calls",
    thread: "Azure/azure-rest-api-specs#29545",
    status: 400,
    body: openAi(
      "Unrecognized request argument supplied: parallel_tool_calls. Please contact us through an Azure support request.",
    ),
    code: "unsupported_value",
    unread: ["parallel_tool_calls"],
  },
  {
    maker: "Azure, of effort",
    thread: "run-llama/llama_index#17731",
    status: 400,
    body: openAi("Unknown parameter: 'reasoning_effort'.", "unknown_parameter", "reasoning_effort"),
    code: "unsupported_value",
    unread: ["reasoning_effort"],
  },
  {
    maker: "Groq, of store",
    thread: "fanenr/chatbot#21",
    status: 400,
    body: {
      error: {
        message: "property 'store' is unsupported, did you mean 'stop'?",
        type: "invalid_request_error",
      },
    },
    code: "unsupported_value",
    unread: ["store"],
  },
  {
    maker: "Groq, of thinking",
    thread: "janhq/jan#8136",
    status: 400,
    body: openAi(
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    ),
    code: "unsupported_value",
    unread: ["reasoning_content"],
  },
  {
    maker: "Cerebras, of thinking",
    thread: "Kilo-Org/kilocode#10375",
    status: 400,
    body: {
      message:
        "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
      type: "invalid_request_error",
      param: "validation_error",
      code: "wrong_api_format",
    },
    code: "unsupported_value",
    unread: ["reasoning_content"],
  },
  {
    maker: "Mistral, of two fields",
    thread: "Gitlawb/openclaude#739",
    status: 422,
    body: mistral("store", "max_completion_tokens"),
    code: "unsupported_value",
    unread: ["store", "max_completion_tokens"],
  },
  {
    maker: "Mistral, within a message",
    thread: "editor-code-assistant/eca#231",
    status: 422,
    body: {
      object: "error",
      message: mistral("max_completion_tokens"),
      type: "invalid_request_error",
      param: null,
      code: null,
    },
    code: "unsupported_value",
    unread: ["max_completion_tokens"],
  },
  {
    maker: "Gemini, of strict",
    thread: "router-for-me/CLIProxyAPI#102",
    status: 400,
    body: gemini(
      "Invalid JSON payload received. Unknown name \"strict\" at 'request.tools[0].function_declarations[0]': Cannot find field.",
    ),
    code: "unsupported_value",
    unread: ["strict"],
  },
];

const others: readonly KnownRefusal[] = [
  {
    maker: "Ollama, without tools",
    thread: "ollama/ollama#6027",
    status: 400,
    body: {
      error: {
        message: "registry.ollama.ai/library/llama3:8b does not support tools",
        type: "api_error",
        param: null,
        code: null,
      },
    },
    code: "unsupported_value",
  },
  {
    maker: "Ollama, in its own form",
    thread: "ollama/ollama#14795",
    status: 400,
    body: { error: "registry.ollama.ai/library/Qwen3.5:0.8b does not support tools" },
    code: "unsupported_value",
  },
  {
    maker: "vLLM, without tools",
    thread: "langchain4j/langchain4j#3475",
    status: 400,
    body: oldVllm(
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ),
    code: "unsupported_value",
  },
  {
    maker: "a proxy before the server",
    thread: "alephdata/aleph#1396",
    status: 413,
    body: "<html><head><title>413 Request Entity Too Large</title></head></html>",
    code: "body_too_large",
  },
  {
    maker: "Bedrock, by its bytes",
    thread: "langchain-ai/langchain-aws#419",
    status: 400,
    body: {
      message:
        "1 validation error detected: Value at 'body' failed to satisfy constraint: Member must have length less than or equal to 25000000",
    },
    code: "body_too_large",
  },
  {
    maker: "Anthropic, without credit",
    thread: "anthropics/claude-code#2112",
    status: 400,
    body: anthropic("Your credit balance is too low to access the Anthropic API."),
    code: "no_channel_available",
  },
];

export const knownRefusals: readonly KnownRefusal[] = [
  ...tooLong,
  ...caps,
  ...contents,
  ...images,
  ...schemas,
  ...histories,
  ...unread,
  ...others,
];
