/** Sessions of the playground that the server keeps for their user, on every device; and those of chat. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  STUDIO_CONTENT_CHARACTERS_MAX,
  STUDIO_ORDERS_MAX,
  STUDIO_TITLE_LENGTH_MAX,
} from "../contract/limits";
import { claimedName } from "../contract/shown-rule";
import type { Family } from "../contract/states";
import {
  type StudioSession,
  type StudioSessionKept,
  studioSessionEndpoints,
} from "../contract/studio-sessions";
import { call } from "./call";
import { factsOfRequest } from "./chat-stream";
import {
  type Conversation,
  conversationFrom,
  jsonOf,
  type SessionPlace,
  type Turn,
} from "./kept-conversation";
import { randomText } from "./random-text";
import { useWrite } from "./write";

const KEY = "studio-sessions";
const TITLE_CHARACTERS = 60;
/** Until then an order can be read again, without another charge. */
const READABLE_MS = 20 * 3_600_000;

export const newPlace = (): SessionPlace => ({ id: randomText(), revision: 0 });

/** The first words of what was asked; `otherwise` where that has none. */
export function sessionTitle(asked: string, otherwise: string): string {
  const words = asked.replace(/\s+/g, " ").trim();
  const cut = words.slice(0, TITLE_CHARACTERS);
  const whole = cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut;
  return claimedName(words === cut ? words : `${whole}…`, STUDIO_TITLE_LENGTH_MAX) ?? otherwise;
}

/** Named by its first question; by the model where that was only a picture. */
export const titleOf = ({ turns, settings }: Conversation): string =>
  sessionTitle(turns.find(({ role }) => role === "user")?.text ?? "", settings.model);

/** Whether an answer was cut off, or not read to its end: the server may have all of it. */
const isOpen = ({ order, facts, error, isStopped, isUnasked }: Turn) =>
  order !== undefined &&
  !isUnasked &&
  (isStopped === true || (!facts?.finishReason && !facts?.isLate && !error));

const awaitedOf = (turns: readonly Turn[]) =>
  turns
    .filter(isOpen)
    .flatMap(({ order }) => order?.key ?? [])
    .slice(-STUDIO_ORDERS_MAX);

function contentOf(conversation: Conversation): string | null {
  const { session: _, ...kept } = conversation;
  const whole = [true, false].map((hasImages) => jsonOf(kept, hasImages));
  return whole.find(({ length }) => length <= STUDIO_CONTENT_CHARACTERS_MAX) ?? null;
}

/**
 * Stores a session and returns its place. If another page has changed it, and something was
 * asked in this page (`isAsked`), it becomes a new session. Rejects when the server does not answer.
 */
export async function keepSession(
  place: SessionPlace,
  body: Omit<StudioSessionKept, "revision">,
  isAsked: boolean,
): Promise<SessionPlace> {
  const write = async ({ id, revision }: SessionPlace) => {
    const kept = await call(studioSessionEndpoints.keepStudioSession, {
      id,
      body: { ...body, revision },
    });
    return kept.revision === null ? null : { id, revision: kept.revision };
  };
  const kept = (await write(place)) ?? (isAsked ? await write(newPlace()) : null);
  return kept ?? place;
}

/** The same of a conversation. One that is too long is not stored. */
export async function keepChat(
  place: SessionPlace,
  conversation: Conversation,
  isAsked: boolean,
): Promise<SessionPlace> {
  const content = contentOf(conversation);
  if (content === null) return place;
  const [title, awaited] = [titleOf(conversation), awaitedOf(conversation.turns)];
  return keepSession(place, { kind: "text", title, content, awaited }, isAsked);
}

/** A session as it goes on in this page, with the answers that came meanwhile. */
export function conversationOfSession(
  { id, revision, content, answers, updatedAt }: StudioSession,
  now: number,
): Conversation | null {
  const found = conversationFrom(content);
  if (found === null) return null;
  const isReadable = now - Date.parse(updatedAt) < READABLE_MS;
  const turns = found.turns.map((turn) => {
    if (!isOpen(turn)) return turn;
    const { isStopped, order, ...rest } = turn;
    const answer = answers.find(({ orderKey }) => orderKey === order?.key);
    if (answer) {
      const facts = factsOfRequest(answer.requestId, answer.toolCalls);
      return { ...rest, ...(order && { order }), text: answer.text, facts };
    }
    return isReadable ? turn : { ...rest, isStopped: true };
  });
  const isRunning = isReadable && found.isRunning && turns.some(isOpen);
  return { ...found, turns, isRunning, session: { id, revision } };
}

const readSession = (id: string) => call(studioSessionEndpoints.showStudioSession, { id });

/** Null where it is gone, or cannot be read. */
export async function openChat(id: string): Promise<Conversation | null> {
  const session = await readSession(id);
  const found = conversationOfSession(session, Date.now());
  if (found?.session === undefined || found.isRunning || session.answers.length === 0) return found;
  // The answers are read: the session has them from now on, and waits for none.
  return { ...found, session: await keepChat(found.session, found, false) };
}

/** The newest conversation that waits for an answer; null where none does. */
export async function openAwaited(): Promise<Conversation | null> {
  const query = { kind: "text" };
  const { sessions } = await call(studioSessionEndpoints.listStudioSessions, { query });
  const awaited = sessions.find(({ isAwaited }) => isAwaited);
  return awaited ? openChat(awaited.id) : null;
}

/** The user's sessions of a kind that have the words. Asked for while they are shown. */
export const useSessions = (kind: Family, search: string, isShown: boolean) =>
  useQuery({
    queryKey: [KEY, kind, search],
    queryFn: ({ signal }) =>
      call(studioSessionEndpoints.listStudioSessions, { query: { kind, search }, signal }),
    enabled: isShown,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const useRemoveSession = () =>
  useWrite((id: string) => call(studioSessionEndpoints.removeStudioSession, { id }), [KEY]);
