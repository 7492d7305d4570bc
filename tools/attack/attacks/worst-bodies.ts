/**
 * Every shape of `bodies.ts` to every address that takes a body, one at a time. Bound: 60 s for
 * each answer.
 */
import type { Attack, Means, Tally } from "../attack";
import { places, type WorstBody, worstBodies } from "../bodies";
import { bytesOf, chunked, type Headers, head, JSON_HEADERS, MEBIBYTE } from "../requests";
import { exchange } from "../wire";

const ANSWER_MS = 60_000;
/** `/mcp` reads no message of a client that does not accept both. */
const ACCEPT = "application/json, text/event-stream";
/** Small enough for a busy machine, large enough to show twice the work per byte. */
const BRIEF_BYTES = MEBIBYTE / 4;

async function send(
  { target, apiKey, isBrief }: Means,
  tally: Tally,
  worst: WorstBody,
  isChunked: boolean,
): Promise<void> {
  for (const place of places) {
    if (worst.paths !== undefined && !worst.paths.includes(place.path)) continue;
    const pieces = worst.pieces(
      place,
      isBrief ? Math.min(BRIEF_BYTES, place.bytesMax) : place.bytesMax - 1024,
    );
    const framing: Headers = isChunked ? { "transfer-encoding": "chunked" } : {};
    // A client that closes its connection after one request must get its answer too, also when its
    // body was not read to the end.
    const ending: Headers = isChunked ? { connection: "close" } : {};
    const own: Headers = { authorization: `Bearer ${apiKey}`, accept: ACCEPT };
    const headers = { ...own, ...ending, ...JSON_HEADERS, ...framing };
    const start = head(target, "POST", place.path, headers, isChunked ? null : bytesOf(pieces));
    const label = `${worst.name}${isChunked ? " in chunks" : ""}, ${(bytesOf(pieces) / MEBIBYTE).toFixed(1)} MiB to ${place.path}`;
    tally.sending();
    const sent = [start, ...(isChunked ? chunked(pieces) : pieces)];
    tally.settle(
      await tally.step(label, () => exchange(target, sent, { timeoutMs: ANSWER_MS })),
      label,
    );
  }
}

export const worstBodiesAttack: Attack = {
  name: "worst-bodies",
  what: "forty bodies that cost most to read, at every address that takes one by a key",
  async run(means, tally) {
    for (const worst of worstBodies) await send(means, tally, worst, false);
  },
};

export const chunkedBodiesAttack: Attack = {
  name: "chunked-bodies",
  what: "some of them in chunks, without a length",
  async run(means, tally) {
    const chosen = [
      "empty objects",
      "members of distinct names",
      "small numbers",
      "blanks only",
      "a picture inside",
    ];
    for (const worst of worstBodies.filter(({ name }) => chosen.includes(name)))
      await send(means, tally, worst, true);
  },
};
