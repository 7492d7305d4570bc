/** What is ordered in the demo, and when: what the database draws the requests from. */
import { builtInModels } from "@/lib/catalog/built-in";
import { parseImageSize } from "@/lib/catalog/image-sizes";
import { type Ratio, videoSize } from "@/lib/catalog/video-sizes";
import type { Family } from "@/lib/contract/states";
import { CUSTOMER, joinedAt, keyEndsAt, keyMadeAt, people, type Rhythm } from "./people";
import { imagePrompts, prompts, videoPrompts } from "./prompts";
import { HOUR, momentOf, openedAt } from "./times";

export interface PlanOptions {
  readonly seed: string;
  /** 1 makes about 30,000 requests and 700 videos and images. */
  readonly scale: number;
  /** The last moment of the history, in milliseconds. */
  readonly end: number;
}

/** The hours of a local day, by how much is ordered in them; and the share of it at weekends. */
const rhythms: Readonly<Record<Rhythm, { hours: readonly number[]; weekend: number }>> = {
  office: {
    hours: [0, 0, 0, 0, 0, 0, 0.2, 1, 4, 8, 9, 8, 5, 6, 9, 9, 8, 5, 3, 2, 1, 1, 0.5, 0.2],
    weekend: 0.15,
  },
  always: {
    hours: [2, 1, 1, 1, 1, 1, 2, 3, 5, 7, 8, 8, 7, 7, 8, 8, 7, 7, 6, 6, 5, 5, 4, 3],
    weekend: 0.7,
  },
  evening: {
    hours: [1, 0.4, 0, 0, 0, 0, 0, 0.2, 0.5, 1, 1, 1, 2, 1, 1, 1, 2, 3, 5, 8, 9, 8, 6, 3],
    weekend: 1.4,
  },
  night: {
    hours: [4, 9, 9, 6, 2, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 2],
    weekend: 0.6,
  },
  lessons: {
    hours: [0, 0, 0, 0, 0, 0, 0, 1, 3, 3, 3, 3, 2, 3, 5, 8, 9, 8, 7, 8, 8, 5, 2, 0.5],
    weekend: 0.45,
  },
};

/** The sums of the numbers so far. */
function sumsOf(numbers: readonly number[]): number[] {
  let sum = 0;
  return numbers.map((each) => {
    sum += each;
    return sum;
  });
}

/** The habits with the times from and until which they can order, in milliseconds. */
export function habitsAt(end: number) {
  return people.flatMap((person) =>
    person.habits.map((habit) => {
      const key = person.keys.find(({ name }) => name === habit.key);
      const made = key === undefined ? joinedAt(end, person) : keyMadeAt(end, person, key);
      const left = person.leftDaysAgo === undefined ? end : momentOf(end, person.leftDaysAgo, 9);
      const until = Math.min(end, left, key === undefined ? end : keyEndsAt(end, key));
      return { person, habit, from: Math.max(openedAt(end), made + HOUR / 2), until };
    }),
  );
}

const habitRow = ({ person, habit, from, until }: ReturnType<typeof habitsAt>[number]) => ({
  ...habit.tokens,
  email: person.email,
  key: habit.key,
  family: habit.family,
  models: habit.models.map(([model]) => model),
  weights: sumsOf(habit.models.map(([, weight]) => weight)),
  per_day: habit.perDay,
  hours: sumsOf(rhythms[habit.rhythm].hours),
  weekend: rhythms[habit.rhythm].weekend,
  zone: `${person.timeZone} hours`,
  starts: new Date(from),
  until: new Date(until),
  cap: habit.tokens?.cap ?? TEXT_TOKENS_MAX,
  streamed: habit.streamed ?? 0,
  language: /\p{Script=Han}/u.test(person.name) ? "zh" : "en",
});

const TEXT_TOKENS_MAX = 16_384;
const RATIOS = ["16:9", "9:16", "1:1"] as const satisfies readonly Ratio[];

/** Every size in which the models make images and videos. */
const formats = builtInModels.flatMap((model) => {
  if (model.family === "text") return [];
  if (model.family === "image")
    return Object.entries({ ...model.ratioSizes, draft: "1024x1024" }).map(([ratio, size]) => {
      const [width, height] = parseImageSize(size) ?? [1024, 1024];
      return { model: model.id, resolution: "", ratio, width, height };
    });
  const { id, sizeGeneration, audio, durationSecondsMin, durationSecondsMax } = model;
  return (["480p", "720p"] as const).flatMap((resolution) => {
    const seconds = { seconds_min: durationSecondsMin, seconds_max: durationSecondsMax };
    // A hold covers the ratio with the most pixels.
    const most = Math.max(
      ...model.ratios.flatMap((ratio) =>
        (["first", "second"] as const).map((generation) => {
          const [width, height] = videoSize(generation, resolution, ratio);
          return width * height;
        }),
      ),
    );
    return RATIOS.map((ratio) => {
      const [width, height] = videoSize(sizeGeneration, resolution, ratio);
      const format = { model: id, resolution, ratio, width, height, most };
      return { ...format, ...seconds, audio };
    });
  });
});

/** A request that is said, where another one is drawn: by the columns of `past.planned`. */
type Special = Readonly<Record<string, unknown>> & {
  readonly hours_ago: number;
  readonly email: string;
  readonly key: string | null;
  readonly family: Family;
  readonly model: string;
};

const good = { failure: null, loss: null, channel: "Harbor Text", is_abandoned: false };

/** What every page should have, at any scale. */
const specialTexts: readonly Special[] = [
  { hours_ago: 15.2, output_tokens: 5200, hold_output: 2048 },
  { hours_ago: 7.8, failure: "usage_missing", loss: "usage_missing" },
  { hours_ago: 4.1, is_stream: true, is_abandoned: true },
  { hours_ago: 2.6, failure: "upstream_failed" },
  { hours_ago: 0.7 },
  { hours_ago: 0.2, is_stream: true, first_byte: 340 },
].map((said) => ({
  ...{ email: CUSTOMER, key: "Production", family: "text", model: "RelayV1" },
  ...{ ...good, ...said },
}));

/** A night in which a key spent more than its owner allows in an hour. */
const burst: readonly Special[] = Array.from({ length: 36 }, (_, index) => ({
  ...{ email: CUSTOMER, key: "Night batch", family: "text", model: "RelayV1", ...good },
  hours_ago: 9 - (index + (index % 7) / 10) / 60,
  input_tokens: 2600 + ((index * 431) % 1600),
  output_tokens: 800 + ((index * 173) % 800),
  hold_input: 18_000,
  hold_output: 4096,
}));

/** The process that died while it held these requests. */
export const DEAD_NODE = "node_of_the_demo";
const left: readonly Special[] = [0, 1, 2].map((seconds) => ({
  ...{ email: "priya@atlas-learning.example", key: "Tutor", family: "text", model: "RelayV1" },
  ...{ ...good, hours_ago: 5.4 + seconds / 3600, node: DEAD_NODE },
}));

const video = (hours: number, model: string, key: string | null, said: object): Special => ({
  ...{
    email: CUSTOMER,
    key,
    family: "video",
    model,
    hours_ago: hours,
    failure: null,
    queued: 6000,
  },
  ...{ callback_url: null, channel: "Northlight", status: "succeeded", ...said },
});
const failed = (failure: string, status = "failed") => ({ status, failure, duration: 48_000 });
const open = (status: string, upstream: string) => ({
  ...{ status, upstream, has_file: false, queued: status === "queued" ? null : 6000 },
});

/** Videos in every state. */
const specialVideos: readonly Special[] = [
  video(13, "Super-Relay2.0", "Production", failed("content_rejected")),
  video(8.4, "Super-Relay2.5", null, failed("audio_review_failed")),
  video(30, "Super-Relay1.5", "Production", failed("upstream_failed")),
  video(5.3, "Super-Relay2.0Fast", "Production", {
    ...failed("task_cancelled", "cancelled"),
    ...{ queued: null, duration: 9000 },
  }),
  video(77, "Super-Relay", null, {
    ...failed("task_expired", "expired"),
    ...{ loss: "orphan_upstream", duration: 48 * HOUR + 40_000 },
  }),
  video(0.06, "Super-Relay2.5", "Render farm", open("running", "running")),
  video(0.04, "Super-Relay2.0", "Production", open("running", "running")),
  video(0.01, "Super-Relay2.0Fast", null, open("queued", "queued")),
  video(1.9, "Super-Relay", "Production", { ...open("running", "silent"), poll_failures: 9 }),
];

const image = (hours: number, said: object): Special => ({
  ...{ email: CUSTOMER, key: null, family: "image", model: "Super-Relay-Image" },
  ...{ hours_ago: hours, failure: null, ...said },
});

/** The demo customer's results of the last day: different prompts, all successful. */
function wallAt(scale: number): Special[] {
  const wall = (
    all: readonly string[],
    most: number,
    make: (at: number, prompt: string) => Special,
  ) => {
    const shown = all.slice(0, Math.max(2, Math.round(Math.min(1, scale) * most)));
    return shown.map((prompt, index) =>
      make(((index + 0.1 + ((index * 37) % 70) / 100) / shown.length) * 21 + 8 / 60, prompt),
    );
  };
  const models = ["Super-Relay2.0", "Super-Relay2.5", "Super-Relay1.5", "Super-Relay2.0Fast"];
  return [
    ...wall(videoPrompts, 10, (at, prompt) =>
      video(at, models[Math.floor(at) % models.length] ?? "", at % 2 < 1 ? "Production" : null, {
        prompt,
      }),
    ),
    ...wall(imagePrompts, 12, (at, prompt) => image(at, { prompt })),
  ];
}

/** The arguments of `past.plan`. */
export function planArguments({ seed, scale, end }: PlanOptions): unknown[] {
  const hash = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
  const specials = [
    ...[...specialTexts, ...burst, ...left, ...specialVideos],
    ...[image(11, { failure: "content_rejected" }), ...wallAt(scale)],
  ];
  return [
    ...[habitsAt(end).map(habitRow), specials, formats, prompts].map((each) =>
      JSON.stringify(each),
    ),
    ...[hash / 1_000_003, scale, new Date(end), "92 days"],
  ];
}
