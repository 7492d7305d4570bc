/** Video models of other upstreams, each from the command that makes it to its bills: by second and resolution, with listed lengths, with a last frame. */
import { expect, test } from "vitest";
import { faultsOf } from "@/testing/ledger/faults-of";
import { openPricedRelay } from "@/testing/relay/priced-relay";
import { billFor, changeSold, chargeAt, sellModel } from "@/testing/relay/sold-model";
import { wholeVideo } from "@/testing/relay/whole-video";
import { opened } from "@/testing/unit/opened";

/** A multiplier at which almost every price needs rounding. */
const PPM = 873_457;
const rates = { "480p": 11.000_001, "720p": 30, "1080p": 61.234_567 } as const;
type Priced = keyof typeof rates;
const second = (resolution: Priced, audio: boolean) => ({
  unit: "second",
  resolution,
  audio,
  points: audio ? rates[resolution] * 2 : rates[resolution],
});

const bySecond = {
  id: "acme-seconds",
  family: "video",
  spec: {
    durations: { min: 1, max: 10, default: 3 },
    resolutions: ["480p", "720p", "1080p"],
    audio: true,
  },
  rates: [
    ...(["480p", "720p", "1080p"] as const).flatMap((each) => [
      second(each, false),
      second(each, true),
    ]),
    { unit: "request", points: 1 },
  ],
};
const listed = {
  id: "acme-listed",
  family: "video",
  spec: { durations: [8, 4, 12], resolutions: ["480p"], ratios: ["16:9", "9:16"] },
  rates: [{ unit: "second", points: 7 }],
};
const framed = {
  id: "acme-frames",
  family: "video",
  spec: { durations: [4, 8], resolutions: ["480p"], last_frame: true, reference_images_max: 2 },
  rates: [{ unit: "second", resolution: "480p", points: 5 }],
};

let charged = 0n;
const site = await opened(openPricedRelay(PPM));
await sellModel(site.relay, bySecond);
await sellModel(site.relay, listed);
await sellModel(site.relay, framed);
await sellModel(site.relay, wholeVideo);

const call = { endpoint: "createVideo", path: "/videos/generations" };
const task = { endpoint: "createVideoTask", path: "/contents/generations/tasks" };
const job = { endpoint: "createVideoJob", path: "/videos" };
const text = { type: "text", text: "a boat" };
const picture = "https://pictures.example/boat.png";
const image = (role: string | null) => ({ type: "image_url", image_url: { url: picture }, role });

async function billed(order: Parameters<typeof billFor>[1], list: bigint): Promise<string[]> {
  const due = chargeAt(PPM, list);
  const { quoted, quotedHold, held, settled, lines, quoteLines } = await billFor(site, order);
  expect([quoted, quotedHold, held, settled]).toEqual([due, due, due, due]);
  expect(quoteLines).toEqual(lines);
  charged += settled;
  return [...lines];
}

test.each([
  [call, { prompt: "a boat" }, "480p", false, 3],
  [call, { prompt: "a boat", resolution: "720p", duration: 2 }, "720p", false, 2],
  [
    task,
    { content: [text], resolution: "480p", duration: 4, generate_audio: true },
    "480p",
    true,
    4,
  ],
  [job, { prompt: "a boat", size: "1792x1024", seconds: "1" }, "1080p", false, 1],
] as const)(
  "by second and resolution, %o %o: all agree to the micropoint",
  async (at, body, resolution, audio, seconds) => {
    const { points } = second(resolution, audio);
    const list = BigInt(Math.round(points * 1e6)) * BigInt(seconds) + 1_000_000n;
    const lines = await billed({ ...at, body: { model: bySecond.id, ...body } }, list);
    expect(lines).toEqual([
      `second ${resolution} ${audio} ${seconds} × ${points}`,
      "request 1 × 1",
    ]);
  },
  60_000,
);

test.each([
  [call, { prompt: "a boat" }, 8],
  [call, { prompt: "a boat", duration: 4 }, 4],
  [call, { prompt: "a boat --dur 4" }, 4],
  // Below the shortest, as everywhere, it is raised to it.
  [task, { content: [text], duration: 2 }, 4],
  [job, { prompt: "a boat", seconds: "4" }, 4],
] as const)(
  "with listed lengths, %o %o: the length is billed",
  async (at, body, seconds) => {
    const list = BigInt(seconds) * 7_000_000n;
    const lines = await billed({ ...at, body: { model: listed.id, ...body } }, list);
    expect(lines).toEqual([`second ${seconds} × 7`]);
  },
  60_000,
);

test.each([
  ["a first and a last frame", [text, image("first_frame"), image("last_frame")]],
  ["a last frame before the first", [image("last_frame"), image(null)]],
  ["a first frame only", [text, image("first_frame")]],
  ["references", [text, image("reference_image")]],
])(
  "with a last frame, %s: the seconds are billed",
  async (_, content) => {
    const body = { model: framed.id, content, duration: 4 };
    expect(await billed({ ...task, body }, 20_000_000n)).toEqual(["second 480p 4 × 5"]);
  },
  60_000,
);

test("a last frame of a single call, and its picture in the owner's list", async () => {
  const frames = { first_frame_url: picture, last_frame_url: picture };
  const body = { model: framed.id, prompt: "a boat", ...frames };
  await billed({ ...call, body }, 20_000_000n);
  const { rows } = await site.relay.pool.query(
    "select spec -> 'pictures' as pictures from video_task order by created_at desc limit 1",
  );
  expect(rows[0].pictures).toEqual([
    { role: "first_frame", url: picture },
    { role: "last_frame", url: picture },
  ]);
}, 60_000);

const UNSUPPORTED = "unsupported_value";
test.each<[typeof call | typeof task | typeof job, object, string, string]>([
  [
    call,
    { model: listed.id, duration: 5 },
    "duration",
    "`duration` is 5: acme-listed allows 4, 8, 12 seconds.",
  ],
  [call, { model: listed.id, duration: 13 }, "duration", "allows 4, 8, 12 seconds."],
  [
    call,
    { model: listed.id, prompt: "a boat --dur 6" },
    "prompt",
    "--dur is 6: acme-listed allows 4, 8, 12 seconds.",
  ],
  [task, { model: listed.id, duration: -1 }, "duration", "allows 4, 8, 12 seconds."],
  [
    job,
    { model: listed.id, seconds: "9" },
    "seconds",
    "`seconds` is 9: acme-listed allows 4, 8, 12 seconds.",
  ],
  [call, { model: bySecond.id, duration: 11 }, "duration", "allows 1 to 10 whole seconds."],
  [
    task,
    { model: bySecond.id, content: [text, image("first_frame"), image("last_frame")] },
    "content[2].role",
    "acme-seconds does not support one.",
  ],
  [
    call,
    { model: bySecond.id, first_frame_url: picture, last_frame_url: picture },
    "last_frame_url",
    "`last_frame_url` is a last frame: acme-seconds does not support one.",
  ],
  [
    task,
    { model: framed.id, content: [text, image("last_frame")] },
    "content[1].role",
    "without a first one",
  ],
  [
    task,
    { model: framed.id, content: [image(null), image("last_frame"), image("last_frame")] },
    "content[2]",
    "a second last frame",
  ],
  [
    task,
    { model: framed.id, content: [text, image("last_frame"), image("reference_image")] },
    "content[1].role",
    "without a first one",
  ],
  [
    task,
    { model: framed.id, content: [text, image("middle_frame")] },
    "content[1].role",
    '"middle_frame": it must be one of first_frame, last_frame, reference_image',
  ],
])("%o %o is refused, and nothing is held", async ({ endpoint, path }, order, param, words) => {
  const body = path === task.path ? { content: [text], ...order } : { prompt: "a boat", ...order };
  for (const [to, sent] of [
    [path, body],
    ["/quote", { endpoint, ...body }],
  ] as const) {
    const { status, json } = await site.relay.send(`/v1${to}`, { body: JSON.stringify(sent) });
    expect([status, json.error]).toEqual([
      400,
      expect.objectContaining({
        code: UNSUPPORTED,
        param,
        message: expect.stringContaining(words),
      }),
    ]);
  }
  expect((await site.relay.balance()).held).toBe(0n);
});

test("a length and a resolution that a later version withdraws are billed, for what runs, as quoted", async () => {
  const narrow = {
    ...bySecond,
    spec: { durations: [5], resolutions: ["720p"] },
    rates: [{ unit: "second", resolution: "720p", points: 1 }],
  };
  const order = { model: bySecond.id, content: [{ ...text, text: "a boat [[delay:2]]" }] };
  const open = "select 1 from open_request";
  const { pool } = site.relay;
  const lines = await billed(
    {
      ...task,
      body: { ...order, resolution: "1080p", duration: 2 },
      async meanwhile() {
        await expect
          .poll(async () => (await pool.query(open)).rowCount, { timeout: 10_000 })
          .toBe(1);
        await changeSold(site.relay, narrow);
        expect((await pool.query(open)).rowCount).toBe(1);
      },
    },
    2n * 61_234_567n + 1_000_000n,
  );
  expect(lines[0]).toBe("second 1080p false 2 × 61.234567");
}, 60_000);

const source = { type: "video_url", video_url: { url: "https://videos.example/a.mp4" } };
const fields = [
  [{ resolution: "4k", duration: 2, service_tier: "flex" }, "4k false false flex", true],
  [{ resolution: "480p", frames: 57, generate_audio: true }, "480p true false default", true],
  [{ content: [text, source], ratio: "adaptive" }, "720p false true default", false],
  [{ duration: -1, draft: true, tools: [{ type: "web_search" }] }, "720p false false", false],
] as const;
test.each(fields)(
  "by tokens of a case, %o at %s: the bill is within quote and hold",
  async (body, rate, isKnown) => {
    const order = { ...task, body: { model: wholeVideo.id, content: [text], ...body } };
    const { quoted, quotedHold, held, settled, lines, quoteLines } = await billFor(site, order);
    expect(held).toBe(quotedHold);
    expect(quoted >= settled && held >= settled).toBe(true);
    expect(lines[0]).toContain(`video_token ${rate} `);
    if (isKnown) expect([quoted, quoteLines]).toEqual([settled, lines]);
    charged += settled;
  },
  60_000,
);

test("the list of models says what each allows", async () => {
  const canDo = async ({ id }: { id: string }) =>
    (await site.relay.send(`/v1/models/${id}`)).json.capabilities;
  expect(await canDo(listed)).toMatchObject({ durations: [8, 4, 12], duration_seconds_min: 4 });
  expect(await canDo(framed)).toMatchObject({ last_frame: true });
  expect(await canDo({ id: "Super-RelayFast" })).not.toHaveProperty("last_frame");
});

test("the statement and the audit agree with every charge", async () => {
  const { charges } = await site.page<{ charges: string }>("showStatement");
  expect(BigInt(Math.round(Number(charges) * 1e6))).toBe(charged);
  expect(await faultsOf(site.relay.pool)).toEqual([]);
});
