/** How long a video at an address is: by its header, wherever it is, and within bounds. */
import fc from "fast-check";
import { Agent } from "undici";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { moovOf, movieOf } from "@/testing/media/files";
import { opened } from "@/testing/unit/opened";
import { type Script, startUpstream } from "@/testing/upstream/test-upstream";
import { createInputLengths, lengthBounds } from "./input-length";
import { LengthUnknown, movieSeconds } from "./movie-length";

let script: Script;
const server = await opened(startUpstream((...given) => script(...given)));
const lengths = await opened(createInputLengths(new Agent()));

/** Answers ranges of a file, as most servers do. */
const ranged =
  (file: Buffer): Script =>
  (response, { headers }) => {
    const [, from = "0", to = "0"] = /^bytes=(\d+)-(\d+)$/.exec(String(headers.range)) ?? [];
    const part = file.subarray(Number(from), Number(to) + 1);
    if (part.length === 0) return void response.writeHead(416).end();
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
    response.writeHead(206, { "content-range": range }).end(part);
  };
const whole =
  (file: Buffer): Script =>
  (response) =>
    void response.writeHead(200).end(file);

const asked = (path = "/a.mp4") => lengths.secondsOf(`${server.url}${path}`);
const problem = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof LengthUnknown ? error.message : error),
  );

test.each(["start", "end"] as const)(
  "a header at the %s of a large file is found with few bytes",
  async (place) => {
    script = ranged(movieOf(moovOf({ movie: 7.04 }), place, 9_000_000));
    server.seen.length = 0;
    expect(await asked()).toBeCloseTo(7.04, 3);
    expect(server.seen.length).toBeLessThanOrEqual(3);
  },
);

test("a server without ranges is read from its beginning, as far as the bound", async () => {
  script = whole(movieOf(moovOf({ movie: 3 }), "end", 1_000_000));
  expect(await asked()).toBeCloseTo(3, 3);
  script = whole(movieOf(moovOf({ movie: 3 }), "end", lengthBounds.bytesMax));
  expect(await problem(asked())).toMatch("no header was found");
});

test("of the lengths that a header says the longest counts", () => {
  const secondsOf = (...given: Parameters<typeof moovOf>) =>
    movieSeconds(moovOf(...given).subarray(8));
  expect(secondsOf({ movie: 2, track: 9 })).toBeCloseTo(9, 3);
  expect(secondsOf({ movie: 2, samples: 11 })).toBeCloseTo(11, 3);
  expect(() => secondsOf({ movie: 0 })).toThrow("does not say how long");
});

test.each([
  ["a picture", Buffer.from("\x89PNG\r\n\x1a\n0123456789", "latin1"), "no mp4 or mov file"],
  ["an empty file", Buffer.alloc(0), "no header was found"],
  ["a header that is cut off", movieOf(moovOf({ movie: 4 })).subarray(0, -20), "cut off"],
  ["a file without a header", movieOf(Buffer.alloc(0)), "no header was found"],
])("%s is refused with its reason", async (_, file, reason) => {
  script = ranged(file);
  expect(await problem(asked())).toMatch(reason);
});

test("an answer that is an error, a loop of redirects, and an inner address are refused", async () => {
  script = (response) => void response.writeHead(404).end();
  expect(await problem(asked())).toBe("its server answered 404");
  script = (response) => void response.writeHead(302, { location: "/again" }).end();
  expect(await problem(asked())).toMatch("redirected more than 3 times");
  script = ranged(movieOf(moovOf({ movie: 4 })));
  const guarded = createInputLengths();
  server.seen.length = 0;
  expect(await problem(guarded.secondsOf(`${server.url}/a.mp4`))).toMatch("not public");
  expect(server.seen).toEqual([]);
  await guarded.close();
});

test("a server that never ends its answer is given up", async () => {
  script = (response) =>
    void response.writeHead(206, { "content-range": "bytes 0-9/10" }).write("a");
  const hasty = createInputLengths(new Agent(), { ...lengthBounds, totalMs: 300 });
  expect(await problem(hasty.secondsOf(`${server.url}/a.mp4`))).toMatch("could not be downloaded");
  await hasty.close();
});

test("a damaged header says a length or is refused, and never takes long", () => {
  const header = moovOf({ movie: 5 }).subarray(8);
  const changes = fc.array(fc.tuple(fc.nat(header.length - 1), fc.nat(255)), { maxLength: 12 });
  fc.assert(
    fc.property(changes, fc.nat(header.length), (changed, length) => {
      const bytes = Buffer.from(header.subarray(0, length));
      for (const [at, value] of changed) if (at < length) bytes[at] = value;
      try {
        expect(movieSeconds(bytes)).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(LengthUnknown);
      }
    }),
    { numRuns: extent(500, 20_000) },
  );
});
