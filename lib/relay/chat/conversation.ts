/** Which conversation a request of text belongs to, so that its turns go to one place upstream. */
import type { Principal } from "../../accounts/principal";
import type { ChatRequest } from "../../contract/chat";
import type { Incoming } from "../../http/exchange";

/** By which agents name their session. */
const sessionHeaders = [
  ...["x-session-id", "session_id", "session-id", "x-claude-code-session-id"],
  ...["x-session-affinity", "x-opencode-session", "x-conversation-id", "conversation_id"],
];
/** What is read of the first instructions, and of the first words of the user. */
const CHARACTERS_MAX = 1024;

type Content = ChatRequest["messages"][number]["content"];

function beginningOf(content: Content): string {
  if (typeof content === "string") return content.slice(0, CHARACTERS_MAX);
  if (!Array.isArray(content)) return "";
  const text = content.find((part) => part.type === "text");
  return text?.type === "text" ? text.text.slice(0, CHARACTERS_MAX) : "";
}

/**
 * The messages with which it began stay the same in each turn, also where a client names only the
 * response before: its input has been put together by then.
 */
function beginning({ messages }: ChatRequest): string {
  const place = messages.findIndex(({ role }) => role === "user");
  const [first, said] = [messages[0], messages[place === -1 ? 0 : place]];
  return `${beginningOf(first?.content)}\n${beginningOf(said?.content)}`;
}

const named = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value.slice(0, CHARACTERS_MAX) : null;

/**
 * Of one key: by the session that the client names, by the key of its prompt cache, or by the user and
 * the first messages. A user alone may be all of an application's.
 */
export function conversationOf(
  request: ChatRequest,
  { principal, incoming }: { readonly principal: Principal; readonly incoming: Incoming },
): string {
  const own = `${principal.apiKeyId ?? principal.accountId} `;
  for (const name of sessionHeaders) {
    const session = named(incoming.header(name));
    if (session !== null) return own + session;
  }
  const cached = named(request.prompt_cache_key) ?? named(request.session_id);
  if (cached !== null) return own + cached;
  return `${own}${named(request.user) ?? ""} ${beginning(request)}`;
}
