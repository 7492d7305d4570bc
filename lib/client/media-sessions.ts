/** Series of videos or images that the server keeps for their user: what was ordered one after the other. */
import { STUDIO_CONTENT_CHARACTERS_MAX } from "../contract/limits";
import { type MediaOrder, mediaContent, studioSessionEndpoints } from "../contract/studio-sessions";
import { call } from "./call";
import type { SessionPlace } from "./kept-conversation";
import { keepSession, sessionTitle } from "./studio-sessions";

export type MediaKind = "video" | "image";

export interface MediaSession {
  readonly place: SessionPlace;
  /** The first one first. */
  readonly orders: readonly MediaOrder[];
}

/** As JSON, without the oldest where all are too long. */
function contentOf(orders: readonly MediaOrder[]): string {
  const content = JSON.stringify({ orders });
  return content.length <= STUDIO_CONTENT_CHARACTERS_MAX || orders.length === 0
    ? content
    : contentOf(orders.slice(Math.ceil(orders.length / 4)));
}

/** Stores a series and returns its place. Another page's change to it makes it a new session. */
export function keepMedia(
  place: SessionPlace,
  kind: MediaKind,
  orders: readonly MediaOrder[],
): Promise<SessionPlace> {
  const [first] = orders;
  if (first === undefined) return Promise.resolve(place);
  const title = sessionTitle(first.prompt, first.model);
  return keepSession(place, { kind, title, content: contentOf(orders), awaited: [] }, true);
}

/** Null where it is gone, or cannot be read. */
export async function openMedia(id: string): Promise<MediaSession | null> {
  const { content, revision } = await call(studioSessionEndpoints.showStudioSession, { id });
  try {
    const { orders } = mediaContent.parse(JSON.parse(content));
    return { place: { id, revision }, orders };
  } catch {
    return null;
  }
}

/** A series as Markdown, each order with the page of its result. */
export const mediaText = ({ orders }: MediaSession, origin: string): string =>
  orders
    .map(({ id, prompt, model }) => `## ${model}\n\n${prompt}\n\n<${origin}/tasks/${id}>\n`)
    .join("\n");
