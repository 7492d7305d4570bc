/**
 * Tests upstreams that are hostile, broken or absurd, over real sockets: what the client gets and
 * what the ledger records. After each, nothing stays held, no call blocked the event loop for long,
 * and memory stayed bounded.
 */

import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { hello, openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { hostilities, startHostile } from "@/testing/upstream/hostilities";
import { videoOrder as anyVideo } from "@/testing/upstream/video-order";
import type { VideoOrder } from "../upstream/media-provider";
import type { Channel } from "../upstream/provider";

const hostile = await opened(startHostile());
const models = { RelayV1: "text", "Super-Relay-Image": "image", "Super-Relay": "video" };
const openWith = (timeoutSeconds: number, silence: { firstByteMs: number; idleMs: number }) => {
  const channels = [hostile.channel({ models, timeoutSeconds })];
  return opened(openTestRelay({ channels, points: "1000000", silence }));
};
const quick = await openWith(2, { firstByteMs: 700, idleMs: 500 });
/** Here only a bound of bytes can end an answer, however busy the machine is. */
const patient = await openWith(60, { firstByteMs: 60_000, idleMs: 60_000 });
let relay = quick;

/**
 * What the client gets (status and code, and how a stream ended), and what the ledger records, with
 * its losses.
 */
type Seen = readonly [customer: string, ledger: string];

type Send = () => Promise<Response>;

function worded(status: number, text: string): string {
  if (status !== 200) return `${status} ${JSON.parse(text).error.code}`;
  if (!text.startsWith("data:")) return JSON.parse(text) ? "200" : "";
  const last = text.trim().split("\n\n").at(-1) ?? "";
  return last === "data: [DONE]" ? "200 [DONE]" : `200 ${JSON.parse(last.slice(6)).error?.code}`;
}

async function seenWith(kind: string, send: Send) {
  hostile.kind = kind;
  relay = / bomb$/.test(kind) ? patient : quick;
  const known = (await relay.ends()).length;
  const watch = await watched(async () => {
    const response = await send();
    const text = await response.text().catch(() => null);
    await relay.ends();
    return { status: response.status, text };
  });
  const { status, text } = watch.result;
  const [end, ...more] = (await relay.ends()).slice(known);
  expect(more).toEqual([]);
  expect((await relay.balance()).held).toBe(0n);
  const losses = end?.losses.map((cause) => ` +${cause}`).join("") ?? "";
  const charged =
    end?.outcome === "settled"
      ? `charged ${end.input}/${end.output}${end.reason ? ` ${end.reason}` : ""}`
      : end?.reason;
  const seen: Seen = [text === null ? "cut" : worded(status, text), `${charged}${losses}`];
  return { ...watch, seen };
}

/**
 * The processor time of the longest turn of the event loop, and the peak of memory, while `work`
 * runs.
 */
async function watched<T>(
  work: () => Promise<T>,
): Promise<{ result: T; longestMs: number; grownBytes: number }> {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const start = used();
  let [longest, most, before] = [0, start, process.cpuUsage()];
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    most = Math.max(most, used());
    before = process.cpuUsage();
  }, 2);
  try {
    return { result: await work(), longestMs: longest, grownBytes: most - start };
  } finally {
    clearInterval(timer);
  }
}

const videoOrder: VideoOrder = { ...anyVideo, model: "Super-Relay", resolution: "480p" };
const ask = (path: string, body: object) => () => relay.fetch(path, { body: JSON.stringify(body) });
const chat = "/v1/chat/completions";
const senders = {
  plain: ask(chat, { model: "RelayV1", messages: hello }),
  stream: ask(chat, { model: "RelayV1", messages: hello, stream: true }),
  image: ask("/v1/images/generations", { model: "super-relay-img", prompt: "a", size: "512x512" }),
};

const late = ["504 upstream_timeout", "upstream_timeout +usage_missing"] as const;
const failed = ["502 upstream_failed", "upstream_failed +usage_missing"] as const;
const bad = ["502 upstream_bad_response", "upstream_bad_response +usage_missing"] as const;
const refused = ["502 upstream_bad_response", "upstream_bad_response"] as const;
const good = ["200", "charged 5/7"] as const;
const goodStream = ["200 [DONE]", "charged 5/7"] as const;
const goodImage = ["200", "charged 0/1024"] as const;
const lateStream = ["200 upstream_timeout", "upstream_timeout +usage_missing"] as const;
const failedStream = ["200 upstream_failed", "upstream_failed +usage_missing"] as const;
const badStream = ["200 upstream_bad_response", "upstream_bad_response +usage_missing"] as const;
const unbilled = ["200", "usage_missing +usage_missing"] as const;
const unbilledStream = ["200 [DONE]", "usage_missing +usage_missing"] as const;
const freeFailure = ["502 upstream_failed", "upstream_failed"] as const;
const busy = ["429 upstream_concurrency_exceeded", "upstream_concurrency_exceeded"] as const;

/** Which bound is reached first, bytes or time, depends on the machine. */
const lossAtABound: string = expect.stringMatching(
  /^upstream_(timeout|bad_response) \+usage_missing$/,
);
const tooMuch = [
  expect.stringMatching(/^(502 upstream_bad_response|504 upstream_timeout)$/),
  lossAtABound,
] as const;

const expectations: readonly [kind: string, plain: Seen, stream: Seen, image: Seen][] = [
  ["silence before headers", late, late, late],
  ["silence after headers", late, late, late],
  ["silence within a chunk", late, lateStream, late],
  ["one byte at a time", late, lateStream, late],
  ["an endless header line", failed, failed, failed],
  ["endless headers", failed, failed, failed],
  ["a flood of 1xx", good, goodStream, goodImage],
  ["status 204", bad, failed, bad],
  ["status 304", refused, refused, refused],
  ["a redirect", refused, refused, refused],
  ["HTML with 200", refused, refused, bad],
  ["another content type", good, goodStream, goodImage],
  ["gzip that nobody asked for", good, goodStream, goodImage],
  ["deflate that nobody asked for", good, goodStream, goodImage],
  ["deflate without its head", good, goodStream, goodImage],
  ["br that nobody asked for", good, goodStream, goodImage],
  ["an encoding that nobody knows", bad, bad, bad],
  ["another encoding than it says", bad, failed, bad],
  ["a gzip bomb", bad, bad, bad],
  ["a deflate bomb", bad, bad, bad],
  ["a br bomb", bad, bad, bad],
  ["100 MB of white space", late, late, tooMuch],
  ["an endless line", ["cut", lossAtABound], badStream, tooMuch],
  ["an endless chunk extension", late, late, late],
  ["a body shorter than its length", failed, failedStream, failed],
  ["a body longer than its length", good, goodStream, goodImage],
  ["two lengths", failed, failed, failed],
  ["a length and chunks", failed, failed, failed],
  ["a reset before anything", failed, failed, failed],
  ["a close after headers", bad, failed, bad],
  ["no HTTP at all", failed, failed, failed],
  ["a second answer at once", good, goodStream, goodImage],
  ["invalid UTF-8", good, goodStream, goodImage],
  ["NUL in texts", good, goodStream, goodImage],
  ["nesting 100,000 deep", bad, badStream, bad],
  ["300,000 small members", good, bad, bad],
  [
    "1,000,000 choices",
    good,
    ["200 upstream_bad_response", "charged 5/7 upstream_bad_response"],
    bad,
  ],
  ["a byte order mark", good, goodStream, goodImage],
  ["CRLF line ends", good, goodStream, goodImage],
  ["CR line ends", good, goodStream, goodImage],
  ["a flood of comments", late, goodStream, late],
  ["a flood of empty data lines", bad, bad, bad],
  ["usage negative", unbilled, unbilledStream, goodImage],
  ["usage fractional", unbilled, unbilledStream, goodImage],
  ["usage of 2^63", unbilled, unbilledStream, goodImage],
  ["usage of strings", unbilled, unbilledStream, goodImage],
  ["usage of 1e308", unbilled, unbilledStream, goodImage],
  ["usage of another shape", unbilled, unbilledStream, goodImage],
  [
    "usage beyond the hold",
    ["200", "charged 5/2000000 +usage_over_hold"],
    ["200 [DONE]", "charged 5/2000000 +usage_over_hold"],
    goodImage,
  ],
  ["usage with its names twice", ["200", "charged 5/9"], ["200 [DONE]", "charged 5/9"], goodImage],
  ["usage null", unbilled, unbilledStream, goodImage],
  ["no usage", unbilled, unbilledStream, goodImage],
  [
    "usage twice with different numbers",
    ["200", "charged 5/9"],
    ["200 [DONE]", "charged 5/9"],
    goodImage,
  ],
  ["usage in the middle only", unbilled, ["200 [DONE]", "charged 5/3"], goodImage],
  ["words after [DONE]", good, goodStream, goodImage],
  ["an error inside a 200", freeFailure, freeFailure, freeFailure],
  ["429 with an absurd Retry-After", busy, busy, busy],
  ["500 with 10 MB of HTML", freeFailure, freeFailure, freeFailure],
];

test("every kind has a row", () => {
  expect(expectations.map(([kind]) => kind)).toEqual(Object.keys(hostilities));
  expect(expectations.length).toBeGreaterThanOrEqual(45);
});

/**
 * Generous: the machine is shared, and the test's upstream and client run on the same event loop.
 */
const BLOCK_MS_MAX = 400;
const GROWTH_BYTES_MAX = 256 * 1024 * 1024;

/** `npm test` sends one of the three requests to each kind, in turn, and a video to every third. */
const share = extent(3, 1);

test.each(expectations.map((row, place) => [...row, place] as const))(
  "%s",
  async (kind, plain, stream, image, place) => {
    const expected: Record<string, Seen> = { plain, stream, image };
    for (const [at, [name, send]] of Object.entries(senders).entries()) {
      if ((place + at) % share !== 0) continue;
      const watch = await seenWith(kind, send);
      expect(watch.seen, name).toEqual(expected[name]);
      expect(watch.longestMs, name).toBeLessThan(BLOCK_MS_MAX);
      expect(watch.grownBytes, name).toBeLessThan(GROWTH_BYTES_MAX);
    }
  },
  30_000,
);

test("a video's order and poll get an answer whatever the upstream does, and neither rejects nor costs more than a loss", async () => {
  const { channels } = quick.setting;
  const channel = { ...(channels[0] as Channel), protocol: "ark" as const };
  const { provider } = quick.video;
  for (const [place, kind] of Object.keys(hostilities).entries()) {
    if (place % share !== 0) continue;
    hostile.kind = kind;
    const { result, longestMs, grownBytes } = await watched(() =>
      Promise.all([provider.submit(channel, videoOrder), provider.read(channel, "cgt-1")]),
    );
    const [order, read] = result;
    // Only a complete task id counts as an accepted order. Any other answer may have cost
    // something, unless it certainly did not.
    if (order.isOk) expect(order.upstreamRef, kind).toBe("cgt-1");
    else
      expect(order.failure.code, kind).toMatch(
        /^(upstream_(failed|bad_response|timeout|concurrency_exceeded))$/,
      );
    if (read.isOk) expect(read.state.status, kind).toBe("queued");
    else expect(read.isGone, kind).toBe(false);
    expect(longestMs, kind).toBeLessThan(BLOCK_MS_MAX);
    expect(grownBytes, kind).toBeLessThan(GROWTH_BYTES_MAX);
  }
}, 120_000);
