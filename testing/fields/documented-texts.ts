/** The documented fields of the three interfaces of text, each with an order that has it. */
import type { Documented, FieldTable } from "./field-table";

const openai = ["OpenAI SDK"] as const;
/** A version that is later than ours, and needs a later Node.js. */
const later = ["OpenAI SDK 7"] as const;
const parameters = { type: "object", properties: {} };
const say = [{ role: "user", content: "a boat" }];

/** Fields whose values differ in nothing between chat and responses. */
const ofOpenai: readonly Documented[] = (
  [
    ["metadata", { team: "a" }],
    ["moderation", { model: "omni-moderation-latest" }],
    ["prompt_cache_key", "k"],
    ["prompt_cache_options", { mode: "explicit" }],
    ["prompt_cache_retention", "24h"],
    ["safety_identifier", "u-7"],
    ["service_tier", "flex"],
    ["temperature", 0.5],
    ["top_p", 0.5],
    ["user", "u-7"],
  ] as const
).map(([field, value]) => ({ field, clients: openai, order: { [field]: value } }));

const ours = (field: string, value: unknown, clients: Documented["clients"] = openai) => ({
  field,
  clients,
  order: { [field]: value },
  upstream: null,
});

const sound = { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } };
const pdf = "data:application/pdf;base64,JVBERi0xLjQ=";
const file = { type: "file", file: { file_data: pdf } };
const tool = { type: "function", function: { name: "sail", parameters } };
const ofChat: readonly Documented[] = (
  [
    ["messages", [...say, { role: "assistant", content: "Yes?" }]],
    ["messages, with sounds", [{ role: "user", content: [sound] }]],
    ["messages, with documents", [{ role: "user", content: [file] }]],
    ["audio", { format: "mp3", voice: "alloy" }],
    ["frequency_penalty", 0.5],
    ["function_call", "none"],
    ["functions", [{ name: "sail", parameters }]],
    ["logit_bias", { "1": 1 }],
    ["logprobs", true],
    ["modalities", ["text", "audio"]],
    ["n", 2],
    ["prediction", { type: "content", content: "a" }],
    ["presence_penalty", 0.5],
    ["reasoning_effort", "low"],
    ["response_format", { type: "json_object" }],
    ["seed", 7],
    ["stop", ["a"]],
    ["store", true],
    ["tools", [tool]],
    ["top_logprobs", 2],
    ["verbosity", "low"],
    ["web_search_options", {}],
  ] as const
).map(([field, value]) => ({
  field,
  clients: openai,
  order: { [field.split(",")[0] ?? ""]: value },
}));

export const chat: FieldTable = {
  name: "Chat",
  endpoint: "POST /v1/chat/completions",
  fields: [
    { field: "model", clients: openai, order: {}, upstream: null },
    ...ofChat,
    ...ofOpenai,
    { field: "max_completion_tokens", clients: openai, order: { max_completion_tokens: 9 } },
    { field: "max_tokens", clients: openai, order: { max_tokens: 9 } },
    {
      field: "parallel_tool_calls",
      clients: openai,
      order: { tools: [tool], parallel_tool_calls: false },
    },
    { field: "tool_choice", clients: openai, order: { tools: [tool], tool_choice: "required" } },
    { field: "stream", clients: openai, order: { stream: true } },
    {
      field: "stream_options",
      clients: openai,
      order: { stream: true, stream_options: { include_usage: true } },
    },
  ],
};

const simple = { type: "function", name: "sail", parameters, strict: true };
export const responses: FieldTable = {
  name: "Responses",
  endpoint: "POST /v1/responses",
  fields: [
    { field: "model", clients: openai, order: {}, upstream: null },
    ...ofOpenai.map((each) => (each.field === "metadata" ? { ...each, upstream: null } : each)),
    { field: "input", clients: openai, order: { input: "another" }, upstream: "messages" },
    {
      field: "input, with sounds",
      clients: openai,
      order: { input: [{ role: "user", content: [sound] }] },
      upstream: "messages",
    },
    {
      field: "input, with documents",
      clients: openai,
      order: { input: [{ role: "user", content: [{ type: "input_file", file_data: pdf }] }] },
      upstream: "messages",
    },
    {
      field: "instructions",
      clients: openai,
      order: { instructions: "Be." },
      upstream: "messages",
    },
    {
      field: "max_output_tokens",
      clients: openai,
      order: { max_output_tokens: 9 },
      upstream: "max_tokens",
    },
    ours("background", true),
    {
      field: "context_management",
      clients: openai,
      order: { context_management: [{ type: "compaction", compact_threshold: 9000 }] },
    },
    { field: "conversation", clients: openai, order: { conversation: "conv-1" } },
    {
      field: "include",
      clients: openai,
      order: { include: ["message.output_text.logprobs"] },
      upstream: "logprobs",
    },
    {
      field: "parallel_tool_calls",
      clients: openai,
      order: { tools: [simple], parallel_tool_calls: false },
    },
    ours("previous_response_id", "resp_1"),
    { field: "prompt", clients: openai, order: { prompt: { id: "p" } } },
    {
      field: "reasoning",
      clients: openai,
      order: { reasoning: { effort: "low" } },
      upstream: "reasoning_effort",
    },
    ours("store", false),
    ours("stream", true),
    {
      field: "stream_options",
      clients: openai,
      order: { stream: true, stream_options: { include_obfuscation: false } },
      upstream: null,
    },
    {
      field: "text",
      clients: openai,
      order: { text: { verbosity: "low" } },
      upstream: "verbosity",
    },
    { field: "tool_choice", clients: openai, order: { tools: [simple], tool_choice: "required" } },
    { field: "tools", clients: openai, order: { tools: [simple] } },
    { field: "top_logprobs", clients: openai, order: { top_logprobs: 2 } },
    { field: "truncation", clients: openai, order: { truncation: "auto" } },
    ...(
      [
        ["access_programs", { cyber: "standard" }, undefined],
        ["background_options", { completion_window: "8h" }, undefined],
        ["image", { context_compression: "auto" }, undefined],
        ["max_tool_calls", 3, null],
      ] as const
    ).map(([field, value, upstream]) => ({
      field,
      clients: later,
      order: { [field]: value },
      ...(upstream === null && { upstream }),
    })),
  ],
};

const both = ["Anthropic SDK", "Anthropic SDK, beta"] as const;
const beta = ["Anthropic SDK, beta"] as const;
const own = { name: "sail", input_schema: parameters };
const documentBlock = {
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQ=" },
};
const schema = { type: "json_schema", schema: parameters };

export const messages: FieldTable = {
  name: "Messages",
  endpoint: "POST /v1/messages",
  fields: [
    { field: "model", clients: both, order: {}, upstream: null },
    ...(
      [
        ["messages", [{ role: "user", content: "another" }]],
        ["messages, with documents", [{ role: "user", content: [documentBlock] }]],
        ["max_tokens", 9],
        ["cache_control", { type: "ephemeral" }],
        ["container", "c-1"],
        ["diagnostics", {}],
        ["inference_geo", "us"],
        ["metadata", { user_id: "u-7" }],
        ["output_config", { effort: "low" }],
        ["service_tier", "standard_only"],
        ["speed", "fast"],
        ["stop_sequences", ["a"]],
        ["stream", true],
        ["system", "Be."],
        ["thinking", { type: "enabled", budget_tokens: 2000 }],
        ["tools", [own]],
        ["user_profile_id", "u-7"],
        ["workspace_id", "w-7"],
      ] as const
    ).map(([field, value]) => ({
      field,
      clients: both,
      order: { [field.split(",")[0] ?? ""]: value },
    })),
    { field: "tool_choice", clients: both, order: { tools: [own], tool_choice: { type: "any" } } },
    ...(
      [
        ["billing_policy", { type: "billing_policy", bill_to: "self" }],
        ["compaction", { type: "auto" }],
        ["context_management", { edits: [] }],
        ["fallback_credit_token", "t"],
        ["fallbacks", "default"],
        ["mcp_servers", [{ type: "url", url: "https://a.example", name: "a" }]],
        ["output_format", schema],
        ["thread", { type: "new" }],
      ] as const
    ).map(([field, value]) => ({ field, clients: beta, order: { [field]: value } })),
    ...(
      [
        ["temperature", 0.5],
        ["top_k", 5],
        ["top_p", 0.5],
      ] as const
    ).map(([field, value]) => ({ field, clients: [], order: { [field]: value } })),
    { field: "betas", clients: beta, order: {}, upstream: null },
  ],
};
