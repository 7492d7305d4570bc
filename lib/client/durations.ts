/** A duration in one unit, and what is left in the next smaller one. */
export interface Duration {
  readonly unit: "milliseconds" | "seconds" | "minutes" | "hours";
  readonly whole: number;
  /** 0 where it would say nothing more. */
  readonly rest: number;
}

const divided = (count: number) => ({ whole: Math.floor(count / 60), rest: count % 60 });

/** Rounded to two or three digits: 820 ms, 2.1 s, 38 s, 1 min 5 s, 12 min, 3 h 20 min, 26 h. */
export function durationOf(milliseconds: number): Duration {
  const inUnits = (unit: number) => Math.round(milliseconds / unit);
  const [tenths, seconds, minutes] = [inUnits(100), inUnits(1000), inUnits(60_000)];
  if (inUnits(1) < 1000) return { unit: "milliseconds", whole: inUnits(1), rest: 0 };
  if (seconds < 60)
    return { unit: "seconds", whole: tenths < 100 ? tenths / 10 : seconds, rest: 0 };
  if (seconds < 600) return { unit: "minutes", ...divided(seconds) };
  if (minutes < 60) return { unit: "minutes", whole: minutes, rest: 0 };
  if (minutes < 600) return { unit: "hours", ...divided(minutes) };
  return { unit: "hours", whole: inUnits(3_600_000), rest: 0 };
}
