import { useFormatter } from "next-intl";

/** `1.5K`, `0.002`: the values of an axis of points or counts. */
export function useAxisText(): (value: number) => string {
  const format = useFormatter();
  return (value) =>
    format.number(value, { notation: "compact", maximumSignificantDigits: value < 1 ? 2 : 3 });
}

/** `800ms`, `1.5s`: the values of an axis of times. */
export function useAxisTime(): (ms: number) => string {
  const format = useFormatter();
  const write = (value: number, unit: "second" | "millisecond") =>
    format.number(value, {
      style: "unit",
      unit,
      unitDisplay: "narrow",
      maximumSignificantDigits: 3,
    });
  return (ms) => {
    if (ms === 0) return "0";
    return ms < 1000 ? write(ms, "millisecond") : write(ms / 1000, "second");
  };
}
