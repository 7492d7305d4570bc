/** Chat requests of the demo. */
import type { HabitualOrder, PlanOptions, TextOrder } from "./orders";
import { CUSTOMER, people } from "./people";
import type { Random } from "./random";
import { DAY, HOUR, MINUTE } from "./rhythm";

const OUTPUT_TOKENS_MAX = 16_384;
/** The times before the end at which the second text channel was in trouble. */
const incidents = [
  { from: 17.4 * DAY, to: 17.3 * DAY },
  { from: 4.3 * HOUR, to: 2.9 * HOUR },
];

const isIncident = (at: number, end: number): boolean =>
  incidents.some(({ from, to }) => at >= end - from && at < end - to);

function failureOf(isTroubled: boolean, random: Random): string | null {
  if (isTroubled && random.chance(0.7)) return "upstream_failed";
  return random.weighted([
    [null, 982],
    ["upstream_failed", 7],
    ["upstream_timeout", 3],
    ["upstream_bad_response", 2],
    ["content_rejected", 4],
    ["client_gone", 2],
  ]);
}

export function textOrder({ at, end, person, habit, random }: HabitualOrder): TextOrder {
  const { input, output, cap } = habit.tokens ?? { input: 500, output: 300, cap: null };
  const capTokens = cap ?? OUTPUT_TOKENS_MAX;
  const inputTokens = Math.max(8, Math.round(random.around(input, 0.6)));
  const outputTokens = Math.max(2, Math.min(capTokens, Math.round(random.around(output, 0.7))));
  const channel = random.chance(0.75) ? "harbor" : "meridian";
  const failure = failureOf(channel === "meridian" && isIncident(at, end), random);
  const firstByteMs = Math.round(random.around(channel === "harbor" ? 380 : 610, 0.4));
  const writingMs = Math.round(outputTokens * random.between(9, 22));
  const isStream = random.chance(habit.streamed ?? 0);
  const answered = { isStream, firstByteMs: isStream ? firstByteMs : firstByteMs + writingMs };
  return {
    family: "text",
    at,
    person,
    key: habit.key,
    model: random.weighted(habit.models),
    channel,
    failure,
    loss: failure === "upstream_timeout" ? "usage_missing" : null,
    isAbandoned: failure === null && isStream && random.chance(0.02),
    inputTokens,
    outputTokens,
    capTokens,
    ...answered,
    durationMs:
      failure === "upstream_timeout"
        ? 60_000 + random.whole(0, 900)
        : failure === null
          ? firstByteMs + writingMs
          : firstByteMs,
  };
}

/**
 * What every page should have, at any scale: usage that exceeds its hold or is missing, an answer
 * that its client left, and a night in which a key spent more than its owner allows in an hour.
 */
export function specialTexts({ end }: PlanOptions, random: Random): TextOrder[] {
  const person = people.find(({ email }) => email === CUSTOMER);
  const habits = (person?.habits ?? []).filter(({ family }) => family === "text");
  const habit = habits.find(({ key }) => key === "Production");
  const batch = habits.find(({ key }) => key === "Night batch");
  if (person === undefined || habit === undefined || batch === undefined) return [];
  const ordinary = (hoursAgo: number): TextOrder => ({
    ...textOrder({ at: Math.floor(end - hoursAgo * HOUR), end, person, habit, random }),
    failure: null,
    loss: null,
    isAbandoned: false,
  });
  const burst = Array.from({ length: 36 }, (_, index): TextOrder => {
    const at = Math.floor(end - 9 * HOUR + (index + random.next()) * MINUTE);
    const usual = textOrder({ at, end, person, habit: batch, random });
    const tokens = { inputTokens: random.whole(2600, 4200), outputTokens: random.whole(800, 1600) };
    return { ...usual, ...tokens, failure: null, loss: null };
  });
  return [
    { ...ordinary(15.2), outputTokens: 5200, loss: "usage_over_hold" },
    { ...ordinary(7.8), failure: "usage_missing", loss: "usage_missing" },
    { ...ordinary(4.1), isStream: true, isAbandoned: true },
    { ...ordinary(2.6), failure: "upstream_failed" },
    { ...ordinary(0.7) },
    { ...ordinary(0.2), isStream: true, firstByteMs: 340 },
    ...burst,
  ];
}
