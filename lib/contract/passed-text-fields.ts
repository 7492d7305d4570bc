/**
 * Fields of requests for text that reach the upstream as they came where the model says that it offers
 * them, and what they may add to what is counted: nothing; input that the upstream has, so that all of
 * the model's context is held; or another turn, which may count the whole context and the whole answer again.
 */
type Adds = "nothing" | "input" | "turn";

/** Of chat, whose answer may count what was predicted and is not used: at most its bytes. */
const passedChatExtras = ["prediction"] as const;

export const passedMessagesFields = {
  billing_policy: "nothing",
  compaction: "input",
  container: "input",
  context_management: "turn",
  diagnostics: "nothing",
  fallback_credit_token: "nothing",
  fallbacks: "turn",
  mcp_servers: "input",
  user_profile_id: "nothing",
  workspace_id: "nothing",
} as const satisfies Readonly<Record<string, Adds>>;

export const passedResponsesFields = {
  access_programs: "nothing",
  context_management: "turn",
  conversation: "input",
  image: "nothing",
  prompt: "input",
  truncation: "nothing",
} as const satisfies Readonly<Record<string, Adds>>;

export const passedTextFields = [
  ...new Set([
    ...passedChatExtras,
    ...Object.keys(passedMessagesFields),
    ...Object.keys(passedResponsesFields),
  ]),
];

/** Whether one of the fields makes the context the bound of the input. */
export const needsContext = (names: readonly string[]): boolean =>
  [passedMessagesFields, passedResponsesFields].some((table) =>
    Object.entries(table).some(([name, adds]) => adds !== "nothing" && names.includes(name)),
  );
