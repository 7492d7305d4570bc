/**
 * What the reference says of the chat fields that are passed to an upstream without a schema of
 * their own: the upstream alone checks them. By path; `chat-fields.ts` decides which are passed.
 */
interface PassedField {
  readonly type: "string" | "integer" | "number" | "boolean" | "object" | "array";
  /** A second type that is accepted. */
  readonly or?: "string" | "object" | "array";
  readonly items?: { readonly type: "string" | "object" };
  readonly enum?: readonly string[];
  readonly description: string;
}

export const passedChatFields: Readonly<Record<string, PassedField>> = {
  "messages[].name": { type: "string", description: "The name of who speaks" },
  "messages[].tool_calls": {
    type: "array",
    items: { type: "object" },
    description: "The functions that the model called, as in its answer",
  },
  "messages[].tool_call_id": {
    type: "string",
    description: "The call that a tool's message answers",
  },
  "messages[].function_call": {
    type: "object",
    description: "The older form of tool_calls, with one function",
  },
  "messages[].refusal": {
    type: "string",
    description: "The model's refusal, as in its answer",
  },
  "messages[].reasoning_content": {
    type: "string",
    description: "The model's reasoning, as in its answer",
  },
  "messages[].reasoning": {
    type: "string",
    description: "The model's reasoning, where its answer has it under this name",
  },
  "messages[].reasoning_details": {
    type: "array",
    items: { type: "object" },
    description: "The parts of the model's reasoning, as in its answer",
  },
  "stream_options.include_obfuscation": {
    type: "boolean",
    description: "Whether events are padded so that their lengths reveal nothing",
  },
  temperature: {
    type: "number",
    description: "How random the answer is: usually from 0, the most predictable, to 2",
  },
  top_p: {
    type: "number",
    description:
      "Only the likeliest tokens that make up this share of the probability are considered",
  },
  presence_penalty: {
    type: "number",
    description: "How much less likely a token becomes once it has occurred",
  },
  frequency_penalty: {
    type: "number",
    description: "How much less likely a token becomes each time it occurs",
  },
  logit_bias: {
    type: "object",
    description: "Changes to the likelihood of single tokens, by token",
  },
  seed: {
    type: "integer",
    description: "The same seed gives the same answer again, where the model supports it",
  },
  stop: {
    type: "string",
    or: "array",
    items: { type: "string" },
    description: "Texts at which the answer ends",
  },
  tools: {
    type: "array",
    items: { type: "object" },
    description: "The functions that the model may call",
  },
  "tools[].type": { type: "string", enum: ["function"], description: "The kind of tool" },
  "tools[].function": { type: "object", description: "The function" },
  "tools[].function.name": { type: "string", description: "Its name" },
  "tools[].function.description": { type: "string", description: "What it does, for the model" },
  "tools[].function.parameters": {
    type: "object",
    description: "Its parameters as a JSON schema",
  },
  "tools[].function.strict": {
    type: "boolean",
    description: "Whether the model must keep exactly to the schema",
  },
  tool_choice: {
    type: "string",
    or: "object",
    description: "Whether the model calls a function: none, auto, required, or the one to call",
  },
  parallel_tool_calls: {
    type: "boolean",
    description: "Whether one answer may call several functions",
  },
  functions: {
    type: "array",
    items: { type: "object" },
    description: "The older form of tools, without their type",
  },
  "functions[].name": { type: "string", description: "The function's name" },
  "functions[].description": { type: "string", description: "What the function does" },
  "functions[].parameters": {
    type: "object",
    description: "The function's parameters as a JSON schema",
  },
  function_call: { type: "string", or: "object", description: "The older form of tool_choice" },
  response_format: {
    type: "object",
    description: "The form of the answer: its type is text, json_object or json_schema",
  },
  reasoning_effort: {
    type: "string",
    description: "How long the model thinks first, such as low or high; it counts within the cap",
  },
  verbosity: { type: "string", description: "How long the answer is: low, medium or high" },
  logprobs: {
    type: "boolean",
    description: "Whether the answer has the likelihood of each token",
  },
  top_logprobs: {
    type: "integer",
    description: "The number of other likely tokens that are listed for each token",
  },
  user: { type: "string", description: "Your identifier of the end user" },
  metadata: {
    type: "object",
    description: "Your own names and values: the tags of the request, passed to the upstream too",
  },
  store: { type: "boolean", description: "Whether the upstream may keep the answer" },
  safety_identifier: {
    type: "string",
    description: "Your identifier of the end user, by which the upstream tells your users apart",
  },
  prompt_cache_key: {
    type: "string",
    description: "A name for requests that begin the same, which helps an upstream's cache",
  },
  prompt_cache_retention: {
    type: "string",
    description: "How long an upstream keeps its cache: in_memory or 24h",
  },
  prompt_cache_options: {
    type: "object",
    description: "How an upstream uses its cache, in its own words",
  },
  moderation: {
    type: "object",
    description: "How an upstream looks at the input and the answer, in its own words",
  },
};
