/**
 * The images and videos that the demo customer's pages should have, at any scale: one in each
 * state, and a wall of new ones.
 */

import type { ImageOrder, PlanOptions, VideoOrder } from "./orders";
import { CUSTOMER, type Habit, type Person, people } from "./people";
import { imagePrompts, videoPrompts } from "./prompts";
import type { Random } from "./random";
import { imageOrder, videoOrder } from "./results-of-habits";
import { HOUR, MINUTE } from "./rhythm";

function customer(): Person {
  const person = people.find(({ email }) => email === CUSTOMER);
  if (person === undefined) throw new Error("the demo has no customer");
  return person;
}

const videosOf = (model: string, key: string | null): Habit => ({
  key,
  family: "video",
  perDay: 0,
  rhythm: "office",
  models: [[model, 1]],
});

const succeeded = {
  failure: null,
  loss: null,
  ending: "succeeded",
  queuedMs: 6000,
} as const satisfies Partial<VideoOrder>;

/** Videos that failed, were cancelled or expired, and those that are still being made. */
export function specialResults({ end }: PlanOptions, random: Random): (VideoOrder | ImageOrder)[] {
  const person = customer();
  const video = (hoursAgo: number, model: string, key: string | null): VideoOrder => ({
    ...videoOrder({
      at: Math.floor(end - hoursAgo * HOUR),
      end,
      person,
      habit: videosOf(model, key),
      random,
    }),
    ...succeeded,
  });
  const failed = { ending: "failed", durationMs: 48_000 } as const;
  const open = { ending: "open", hasFile: false, durationMs: 0, callbackUrl: null } as const;
  const image = imageOrder({
    at: Math.floor(end - 11 * HOUR),
    end,
    person,
    habit: { ...videosOf("Super-Relay-Image", null), family: "image" },
    random,
  });
  return [
    { ...video(13, "Super-Relay2.0", "Production"), ...failed, failure: "content_rejected" },
    { ...video(8.4, "Super-Relay2.5", null), ...failed, failure: "audio_review_failed" },
    { ...video(30, "Super-Relay1.5", "Production"), ...failed, failure: "upstream_failed" },
    {
      ...video(5.3, "Super-Relay2.0Fast", "Production"),
      ending: "cancelled",
      failure: "task_cancelled",
      queuedMs: null,
      durationMs: 9000,
    },
    {
      ...video(77, "Super-Relay", null),
      ending: "expired",
      failure: "task_expired",
      loss: "orphan_upstream",
      durationMs: 48 * HOUR + 40_000,
    },
    { ...video(0.06, "Super-Relay2.5", "Render farm"), ...open },
    { ...video(0.04, "Super-Relay2.0", "Production"), ...open },
    { ...video(0.01, "Super-Relay2.0Fast", null), ...open, queuedMs: null },
    { ...video(1.9, "Super-Relay", "Production"), ...open, pollFailures: 9 },
    { ...image, failure: "content_rejected" },
  ];
}

const WALL_VIDEOS = 10;
const wallModels = [
  ["Super-Relay2.5", 2],
  ["Super-Relay2.0", 3],
  ["Super-Relay2.0Fast", 3],
  ["Super-Relay1.5", 3],
  ["Super-RelayFast", 2],
] as const;

/** The demo customer's results of the last day: different prompts, all successful. */
export function recentResults(
  { end, scale }: PlanOptions,
  random: Random,
): (VideoOrder | ImageOrder)[] {
  const person = customer();
  const countOf = (most: number) => Math.max(2, Math.round(Math.min(1, scale) * most));
  const spread = (index: number, count: number) =>
    Math.floor(end - (((index + random.between(0.1, 0.8)) / count) * 21 * HOUR + 8 * MINUTE));
  const videoCount = countOf(WALL_VIDEOS);
  const imageCount = countOf(imagePrompts.length);
  const videos = videoPrompts.slice(0, videoCount).map((prompt, index): VideoOrder => {
    const habit = videosOf(random.weighted(wallModels), random.chance(0.5) ? "Production" : null);
    const order = videoOrder({ at: spread(index, videoCount), end, person, habit, random });
    return { ...order, ...succeeded, spec: { ...order.spec, prompt } };
  });
  const images = imagePrompts.slice(0, imageCount).map((prompt, index): ImageOrder => {
    const habit: Habit = { ...videosOf("Super-Relay-Image", null), family: "image" };
    const at = spread(index, imageCount);
    return { ...imageOrder({ at, end, person, habit, random }), failure: null, prompt };
  });
  return [...videos, ...images];
}
