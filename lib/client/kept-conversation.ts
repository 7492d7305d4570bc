/**
 * Stores one user's chat for this browser tab across reloads and pages. Closing the tab or signing
 * out deletes it; `studio-sessions.ts` keeps it on the server.
 */
import * as z from "zod";
import { RequestError } from "./call";
import type { ChatFacts, ChatSent } from "./chat-stream";

const PREFIX = "relay.chat.";

export interface Turn {
  id: number;
  role: "user" | "assistant";
  text: string;
  /** Data URLs of the images sent with the text. */
  images?: readonly string[];
  facts?: ChatFacts;
  error?: unknown;
  isStopped?: boolean;
  /** It was stopped before it was asked for. */
  isUnasked?: boolean;
  /** Another model's answer beside the one with which the conversation goes on. */
  isRival?: boolean;
  /** How an answer was asked for. Asking so again reads the same answer, without another charge. */
  order?: Order;
}

export interface Order {
  /** The Idempotency-Key. */
  key: string;
  settings: ChatSettings;
}

export type ChatSettings = Omit<ChatSent, "messages" | "tools" | "response_format"> & {
  system: string;
  /** The `tools` of the request, as JSON text. */
  toolsText?: string;
  /** Whether to ask for JSON output. */
  isJson?: boolean;
  /** The models that answer beside the chosen one. */
  others?: readonly string[];
};

export interface Conversation {
  turns: readonly Turn[];
  settings: ChatSettings;
  /** True while an answer is being read. */
  isRunning: boolean;
  /** What keeps it on the server. */
  session?: SessionPlace | undefined;
}

/** A session on the server, as this page last read or wrote it; revision 0: not yet. */
export interface SessionPlace {
  id: string;
  revision: number;
}

/** True after sign-out: a page that is still open stores nothing more. */
let isOver = false;

const failure = z.object({
  status: z.number(),
  code: z.string(),
  message: z.string(),
  param: z.string().nullable(),
  requestId: z.string().nullable(),
  retryAfterSeconds: z.number().nullable(),
  facts: z.record(z.string(), z.unknown()).default({}),
});
const keptSettings = z.custom<ChatSettings>(
  (settings) => z.object({ model: z.string(), system: z.string() }).safeParse(settings).success,
);
const kept = z.object({
  turns: z.array(
    z.object({
      id: z.number().int(),
      role: z.enum(["user", "assistant"]),
      text: z.string(),
      images: z.array(z.string()).optional(),
      facts: z.custom<ChatFacts>((facts) => typeof facts === "object" && facts !== null).optional(),
      error: failure.optional(),
      isStopped: z.boolean().optional(),
      isUnasked: z.boolean().optional(),
      isRival: z.boolean().optional(),
      order: z.object({ key: z.string(), settings: keptSettings }).optional(),
    }),
  ),
  settings: keptSettings,
  isRunning: z.boolean(),
  session: z.object({ id: z.string(), revision: z.int() }).optional(),
});

function plainError(error: unknown): z.infer<typeof failure> {
  const { status, code, message, param, requestId, retryAfterSeconds, facts } =
    error instanceof RequestError ? error : new RequestError(0, "offline", "");
  return { status, code, message, param, requestId, retryAfterSeconds, facts };
}

function revive({ error, ...turn }: z.infer<typeof kept>["turns"][number]): Turn {
  if (!error) return turn as Turn;
  const { status, code, message, param, requestId, retryAfterSeconds, facts } = error;
  return {
    ...turn,
    error: new RequestError(status, code, message, param, requestId, retryAfterSeconds, facts),
  } as Turn;
}

/**
 * A conversation from its JSON; an answer that was being read counts as stopped until it is read
 * again (`isRunning`). Null when it is not readable.
 */
export function conversationFrom(json: string): Conversation | null {
  try {
    const { turns, ...rest } = kept.parse(JSON.parse(json));
    const asked = turns.findLastIndex(({ role }) => role === "user");
    return {
      ...rest,
      turns: turns.map((turn, at) =>
        revive(rest.isRunning && at > asked ? { ...turn, isStopped: true } : turn),
      ),
    };
  } catch {
    return null;
  }
}

export function jsonOf(conversation: Conversation, hasImages: boolean): string {
  const turns = conversation.turns.map(({ error, ...turn }) =>
    error === undefined ? turn : { ...turn, error: plainError(error) },
  );
  const bare = (key: string, value: unknown) =>
    key === "images" && !hasImages ? undefined : value;
  return JSON.stringify({ ...conversation, turns }, bare);
}

/** The user's stored conversation; null when nothing readable is stored. */
export function readConversation(storage: Storage, userId: string): Conversation | null {
  try {
    return conversationFrom(storage.getItem(PREFIX + userId) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Stores the conversation and removes those of other users; an empty one is removed. Does nothing
 * when the storage is full or blocked.
 */
export function keepConversation(
  storage: Storage,
  userId: string,
  conversation: Conversation,
): void {
  if (isOver) return;
  const name = PREFIX + userId;
  try {
    forget(storage, userId);
    if (conversation.turns.length === 0) storage.removeItem(name);
    else setFitting(storage, name, conversation);
  } catch {
    // The chat works without being stored.
  }
}

/** Stores the conversation without its images when the storage is too small for them. */
function setFitting(storage: Storage, name: string, conversation: Conversation): void {
  try {
    storage.setItem(name, jsonOf(conversation, true));
  } catch {
    storage.setItem(name, jsonOf(conversation, false));
  }
}

/** Removes the stored conversations of all users except one. */
function forget(storage: Storage, exceptUserId?: string): void {
  for (const name of Object.keys(storage)) {
    if (name.startsWith(PREFIX) && name !== PREFIX + exceptUserId) storage.removeItem(name);
  }
}

/** On sign-out: removes what is stored and stops this page from storing more. */
export function endConversations(storage: Storage): void {
  isOver = true;
  forget(storage);
}
