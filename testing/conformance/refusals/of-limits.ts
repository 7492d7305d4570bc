/** Of limits of a minute, a period or a balance, in the words of their makers, and of histories. */
import {
  anthropic,
  badImage,
  dashScope,
  type KnownRefusal,
  openAi,
  overLong,
  refusal,
} from "./refusal";

const zhipu = (code: string, message: string) => ({ error: { code, message } });
const newApi = (message: string, members: object = {}) => ({
  error: { message: `${message} (request id: 2026)`, type: "new_api_error", param: "", ...members },
});
const BUSY = "upstream_concurrency_exceeded";
const OURS = "no_channel_available";
const HISTORY = "invalid_history";

const quotas: readonly KnownRefusal[] = [
  refusal(
    ["New API, of points set aside", "clacky-ai/openclacky#100", 403],
    newApi("预扣费额度失败, 用户剩余额度: ＄0.539534, 需要预扣费额度: ＄2.906176"),
    OURS,
  ),
  refusal(
    ["New API, of a key's points", "QuantumNous/new-api#6306", 403],
    newApi("token quota is not enough, token remain quota: ¥0.230000, need quota: ¥0.290000"),
    OURS,
  ),
  refusal(
    ["New API, of a subscription", "QuantumNous/new-api#6306", 403],
    newApi("订阅额度不足或未配置订阅"),
    OURS,
  ),
  refusal(
    ["GLM at Zhipu, of five hours", "dirge-code/dirge#818", 429],
    zhipu("1308", "已达到 5 小时的使用上限。您的限额将在 2026-08-25 07:41:44 重置。"),
    OURS,
  ),
];

const busy: readonly KnownRefusal[] = [
  refusal(
    ["GLM at Z.ai, of requests", "anomalyco/opencode#14535", 429],
    zhipu("1302", "Rate limit reached for requests"),
    BUSY,
  ),
  refusal(
    ["Gemini, of a minute", "diegosouzapw/OmniRoute#9504", 429],
    {
      error: {
        code: 429,
        message:
          "You exceeded your current quota, please check your plan and billing details. Please retry in 36.4s.",
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "36s" }],
      },
    },
    BUSY,
  ),
  refusal(
    ["New API, as if of a quota", "666ghj/BettaFish#579", 429],
    newApi("当前分组上游负载已饱和，请稍后再试", {
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
    BUSY,
  ),
  refusal(
    ["One API, as if of a bill", "songquanpeng/one-api#330", 429],
    newApi("当前分组负载已饱和，请稍后再试，或升级账户以提升服务质量。", {
      type: "billing_not_active",
      code: "billing_not_active",
    }),
    BUSY,
  ),
  refusal(
    ["New API, as its own fault", "popjane/free_chatgpt_api#65", 500],
    newApi("当前分组上游负载已饱和，请稍后再试"),
    BUSY,
  ),
];

const lengths: readonly KnownRefusal[] = [
  overLong(
    ["SiliconFlow", "chatboxai/chatbox#2060"],
    {
      code: 20015,
      message: "length of prompt_tokens (68957) must be less than max_seq_len (65536).",
      data: null,
    },
    { allowed: 65536, asked: 68957 },
  ),
  overLong(
    ["SiliconFlow, whose body is a text", "continuedev/continue#10993"],
    '"max_total_tokens (33802) must be less than or equal to max_seq_len (32768)"',
    { allowed: 32768 },
  ),
  overLong(
    ["SGLang, later", "mmcdermott/MEDS_EIC_AR#172"],
    {
      object: "error",
      message: "Input length (11000 tokens) exceeds the maximum allowed length (10000 tokens).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    { allowed: 10000, asked: 11000 },
  ),
];

const histories: readonly KnownRefusal[] = [
  refusal(
    ["Qwen at DashScope, of arguments", "HKUDS/nanobot#2469"],
    dashScope(
      'InvalidParameter: The "function.arguments" parameter of the code model must be in JSON format.',
    ),
    HISTORY,
  ),
  refusal(
    ["Anthropic, of arguments", "agentgateway/agentgateway#3002"],
    anthropic("messages.2.content.0.tool_use.input: Input should be a valid dictionary"),
    HISTORY,
  ),
  refusal(
    ["Mistral, of an empty turn", "cecli-dev/cecli#296"],
    {
      object: "error",
      message: "Assistant message must have either content or tool_calls, but not none.",
      type: "invalid_request_assistant_message",
      param: null,
      code: "3240",
    },
    HISTORY,
  ),
  refusal(
    ["Kimi, of an empty text", "stacklok/mecatl#291"],
    openAi("Invalid request: text content is empty"),
    HISTORY,
  ),
  refusal(
    ["Anthropic, of an empty text", "anthropics/claude-code#55302"],
    anthropic("messages.87.content.1.text: cache_control cannot be set for empty text blocks"),
    HISTORY,
  ),
  refusal(
    ["Anthropic, of a last space", "tailcallhq/forgecode#1872"],
    anthropic("messages: final assistant content cannot end with trailing whitespace"),
    HISTORY,
  ),
  refusal(
    ["llama.cpp, of turns, by its template", "ggml-org/llama.cpp#19851", 500],
    {
      error: {
        code: 500,
        message:
          "\n------------\nWhile executing CallExpression at line 189, column 32 in source:\n...== 0) %}↵            {{- raise_exception('After the optional system message, con...\n                                           ^\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
        type: "server_error",
      },
    },
    HISTORY,
    { unread: ["turns"] },
  ),
  refusal(
    ["llama.cpp, of turns of Gemma", "idiap/sdialog#122", 500],
    {
      error: {
        code: 500,
        message:
          '\n------------\nWhile executing CallExpression at line 19, column 27 in source:\n...% 2 == 0) -%}↵        {{ raise_exception("Conversation roles must alternate user...\n                                           ^\nError: Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...',
        type: "server_error",
      },
    },
    HISTORY,
    { unread: ["turns"] },
  ),
];

const images: readonly KnownRefusal[] = [
  badImage(["Cloudflare, of what only looks like a picture", "cloudflare/ai#605"], {
    errors: [
      {
        message: "AiError: AiError: Invalid data for image - reason invalid base64 encoding (e06d)",
        code: 8006,
      },
    ],
    ...{ success: false, result: {}, messages: [] },
  }),
];

export const ofLimits: readonly KnownRefusal[] = [
  ...quotas,
  ...busy,
  ...lengths,
  ...histories,
  ...images,
];
