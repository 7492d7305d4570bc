/** The fields of content blocks that are read here, or passed to an upstream of the same API. */

const fieldsOf = (...names: string[]): ReadonlySet<string> =>
  new Set(["type", "cache_control", ...names]);
export const known = {
  text: fieldsOf("text", "citations"),
  image: fieldsOf("source"),
  document: fieldsOf("source", "title", "context", "citations"),
  search_result: fieldsOf("source", "title", "content", "citations"),
  tool_reference: fieldsOf("tool_name"),
  tool_result: fieldsOf("tool_use_id", "content", "is_error"),
  tool_use: fieldsOf("id", "name", "input", "caller"),
} as const;

/** The fields that each kind of block has in this API. */
export const blockFields: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...Object.entries(known),
  ["thinking", fieldsOf("thinking", "signature")],
  ["redacted_thinking", fieldsOf("data")],
]);
