/** Headers as undici takes them: names and values, alternating. */
import type { Channel } from "../provider";

/** With the channel's own, which replace those of the same name. */
export function withExtraHeaders(headers: string[], { headers: extra }: Channel): string[] {
  if (extra === undefined) return headers;
  const kept = headers.flatMap((name, place) =>
    place % 2 === 0 && extra[name] === undefined ? [name, headers[place + 1] ?? ""] : [],
  );
  return [...kept, ...Object.entries(extra).flat()];
}
