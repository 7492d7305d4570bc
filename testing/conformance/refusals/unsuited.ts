/** Of what is in a request besides. */
import { anthropic, ark, badImage, type KnownRefusal, openAi, overCap, rejected } from "./refusal";

const caps: readonly KnownRefusal[] = [
  overCap(
    ["Anthropic", "anthropics/claude-code#11302"],
    anthropic(
      "max_tokens: 21333 > 4096, which is the maximum allowed number of output tokens for claude-3-opus-20240229",
    ),
    { allowed: 4096, capMax: 4096 },
  ),
  overCap(
    ["Ark", "langgenius/dify#14376"],
    ark(
      "The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 4096, but got 8192 instead.",
      "max_tokens",
    ),
    { allowed: 4096, capMax: 4096 },
  ),
  overCap(
    ["Groq", "RooCodeInc/Roo-Code#5729"],
    openAi(
      "`max_tokens` must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model",
      null,
      "max_tokens",
    ),
    { allowed: 16384, capMax: 16384 },
  ),
  overCap(
    ["Text Generation Inference", "huggingface/transformers#28523", 422],
    { error: "Input validation error: `max_new_tokens` must be <= 192. Given: 200" },
    { allowed: 192, capMax: 192 },
  ),
  overCap(["GLM at Zhipu", "lobehub/lobehub#1398"], {
    error: { code: "1214", message: "max_tokens参数非法。请检查文档。" },
  }),
];

const contents: readonly KnownRefusal[] = [
  rejected(["Azure", "vibrantlabsai/ragas#649"], {
    error: {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      type: null,
      param: "prompt",
      code: "content_filter",
      status: 400,
      innererror: { code: "ResponsibleAIPolicyViolation" },
    },
  }),
  rejected(
    ["DeepSeek", "666ghj/BettaFish#108"],
    openAi("Content Exists Risk", "invalid_request_error"),
  ),
  rejected(["Qwen at DashScope", "camel-ai/owl#432"], {
    error: {
      code: "data_inspection_failed",
      param: null,
      message: "Input data may contain inappropriate content.",
      type: "data_inspection_failed",
    },
  }),
  rejected(["Kimi", "MoonshotAI/kimi-cli#1002"], {
    error: {
      code: 400,
      message: "The request was rejected because it was considered high risk",
      param: "prompt",
      type: "content_filter",
    },
  }),
  rejected(["GLM at Zhipu", "langchain4j/langchain4j#1079"], {
    error: { code: "1301", message: "系统检测到输入或生成内容可能包含不安全或敏感内容" },
  }),
  rejected(["MiniMax", "esengine/DeepSeek-Reasonix#6818", 422], {
    error: { message: "input new_sensitive (1026)", type: "bad_request_error" },
  }),
];

const images: readonly KnownRefusal[] = [
  badImage(
    ["OpenAI", "STranslate/STranslate#277"],
    openAi(
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
      "invalid_image_format",
    ),
  ),
  badImage(["Anthropic", "anthropics/claude-code#39534"], anthropic("Could not process image")),
  badImage(
    ["Anthropic, by its size", "anthropics/claude-code#19631"],
    anthropic(
      "messages.2.content.0.image.source.base64: image exceeds 5 MB maximum: 8259148 bytes > 5242880 bytes",
    ),
  ),
  badImage(
    ["Anthropic, by its sides", "anthropics/claude-code#4778"],
    anthropic(
      "messages.7.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    ),
  ),
];

export const unsuited: readonly KnownRefusal[] = [...caps, ...contents, ...images];
