import { impossible } from "./budget";
import { type SchemaObject, strictest } from "./schema";

const MULTIPLES_TRIED = 100;

/** The bound together with its exclusive variant, which draft 4 writes as a boolean. */
function boundOf(
  schemas: readonly SchemaObject[],
  side: "minimum" | "maximum",
): { value: number | null; isExclusive: boolean } {
  const choose = side === "minimum" ? Math.max : Math.min;
  const keyword = side === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  const inclusive = strictest(schemas, side, choose);
  const exclusive = strictest(schemas, keyword, choose);
  const isOlder = schemas.some((schema) => schema[keyword] === true && schema[side] === inclusive);
  if (
    exclusive === null ||
    (inclusive !== null && inclusive !== exclusive && choose(inclusive, exclusive) === inclusive)
  ) {
    return { value: inclusive, isExclusive: isOlder };
  }
  return { value: exclusive, isExclusive: true };
}

/** The next number after `value` in the direction of `sign`. */
const beside = (value: number, sign: 1 | -1): number =>
  value + sign * Math.max(1, Math.abs(value) * 2 ** -51);

/** A number within the bounds of all `schemas`: near 1, and a different one for each `variant`. */
export function makeNumber(
  schemas: readonly SchemaObject[],
  isInteger: boolean,
  variant: number,
): number {
  const least = boundOf(schemas, "minimum");
  const most = boundOf(schemas, "maximum");
  let low = least.value ?? Number.NEGATIVE_INFINITY;
  let high = most.value ?? Number.POSITIVE_INFINITY;
  if (isInteger) {
    low = least.isExclusive && Number.isInteger(low) ? beside(low, 1) : Math.ceil(low);
    high = most.isExclusive && Number.isInteger(high) ? beside(high, -1) : Math.floor(high);
  }
  const steps = schemas
    .map(({ multipleOf }) => multipleOf)
    .filter((step): step is number => typeof step === "number" && step > 0);
  const isOutside = (value: number) =>
    value < low ||
    value > high ||
    (value === least.value && least.isExclusive) ||
    (value === most.value && most.isExclusive);
  const fits = (value: number) =>
    Number.isFinite(value) &&
    !isOutside(value) &&
    (!isInteger || Number.isInteger(value)) &&
    steps.every((step) => Number.isInteger(value / step));
  for (const candidate of candidates(low, high, Math.max(...steps, isInteger ? 1 : 0), variant))
    if (fits(candidate)) return candidate + 0;
  throw impossible;
}

function* candidates(low: number, high: number, step: number, variant: number): Generator<number> {
  yield 1 + variant;
  const start = low > 1 ? low : Math.min(high, 1);
  const sign = start === high && low !== high ? -1 : 1;
  const unit = step || 1;
  const first = sign === 1 ? Math.ceil(start / unit) : Math.floor(start / unit);
  for (let k = 0; k < MULTIPLES_TRIED; k++) yield (first + sign * (k + variant)) * unit;
  yield start;
  const width = high - low;
  if (Number.isFinite(width))
    for (let part = 0; part < 8; part++)
      yield low + (width * (variant + part + 1)) / (variant + part + 2);
  else yield beside(start, sign);
  for (let k = 0; k < MULTIPLES_TRIED; k++) yield (first - sign * k) * unit;
}
