/** Generates slightly wrong variants of valid bodies. */

/** A number from 0 to below 1. */
export type Random = () => number;

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

const hostileNumbers = [
  0,
  -0,
  -1,
  1,
  1.5,
  1e308,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  2 ** 64,
  -(2 ** 63),
  5e-324,
  1e-7,
];
export const hostileTexts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udfffb",
  "\uffff",
  "\u202e\u200b",
  "💥",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "true",
  "NaN",
  "Infinity",
  "-1",
  "0",
  "1e3",
  "0x10",
  "1000000000",
  "999999999.999999",
  "0.0000001",
  "' or 1=1 --",
  "%ff",
  "%00",
  "../../etc/passwd",
  "--rs 480p --dur 5",
  "a --rs",
  "a --unknown 3",
  "2026-02-30",
  "9999-12-31",
  "0000-01-01",
  "9999-12-31T23:59:59.999Z",
  "0001-01-01T00:00:00Z",
  "-271821-04-20T00:00:00.000Z",
  "2026-01-01T00:00:00+14:00",
  "http://",
  "http://[::",
  "http://user:pass@127.0.0.1:1/",
  "javascript:alert(1)",
  "data:image/png;base64,",
  "data:image/png;base64,AAA",
  "data:,",
  "attacker@example.com",
  "a@b",
  "sk-rly-",
  "acc_none",
  "x".repeat(300),
  "x".repeat(5000),
  "é".repeat(40_000),
];
const deep = (depth: number): unknown => (depth === 0 ? 0 : [deep(depth - 1)]);
const oddNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "",
  "a\0",
  "\ud800",
  "id",
  "accountId",
  "isOperator",
  "points",
  "zz",
  "n",
  "x".repeat(2000),
];

function oddValue(random: Random): unknown {
  const kind = random();
  if (kind < 0.45) return pick(random, hostileTexts);
  if (kind < 0.7) return pick(random, hostileNumbers);
  return pick<() => unknown>(random, [
    () => null,
    () => true,
    () => false,
    () => [],
    () => ({}),
    () => [[]],
    () => [null],
    () => [{}],
    () => ({ length: 1 }),
    () => deep(60),
    () => deep(70),
    () => new Array(1000).fill(pick(random, hostileTexts.slice(0, 40))),
    () => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, index])),
    () => [pick(random, hostileTexts), pick(random, hostileNumbers)],
  ])();
}

type Container = Record<string, unknown> | unknown[];
const isContainer = (value: unknown): value is Container =>
  typeof value === "object" && value !== null;

/** Every object and array within a value. */
function containersOf(value: unknown, found: Container[] = []): Container[] {
  if (!isContainer(value)) return found;
  found.push(value);
  for (const inner of Object.values(value)) containersOf(inner, found);
  return found;
}

function define(container: Container, name: string, value: unknown): void {
  Object.defineProperty(container, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function change(value: unknown, names: readonly string[], random: Random): unknown {
  const container = pick(random, containersOf(value));
  if (container === undefined) return oddValue(random);
  const present = Object.keys(container);
  const kind = random();
  if (present.length === 0 || kind < 0.3) {
    const name = random() < 0.75 && names.length > 0 ? pick(random, names) : pick(random, oddNames);
    if (Array.isArray(container)) container.push(oddValue(random));
    else define(container, name, oddValue(random));
  } else if (kind < 0.42) {
    const name = pick(random, present);
    if (Array.isArray(container)) container.splice(Number(name), 1);
    else delete container[name];
  } else if (kind < 0.5 && Array.isArray(container))
    container.push(...new Array(5).fill(container[0]));
  else define(container, pick(random, present), oddValue(random));
  return value;
}

const pieces = [
  "",
  '"',
  "}",
  "]",
  "\\",
  ",",
  ":",
  "\u0001",
  "é",
  "00",
  "\\u0000",
  "\\ud800",
  '"a":1,"a":2,',
];

/** The text of a variant of `seed`: one to three changes, and now and then invalid JSON. */
export function mutate(seed: unknown, names: readonly string[], random: Random): string {
  let value: unknown = structuredClone(seed);
  const changes = 1 + Math.floor(random() * 3);
  for (let index = 0; index < changes; index++) value = change(value, names, random);
  if (random() < 0.02) value = oddValue(random);
  const text = JSON.stringify(value) ?? "null";
  if (random() > 0.06) return text;
  const at = Math.floor(random() * text.length);
  return text.slice(0, at) + pick(random, pieces) + text.slice(at + 1);
}
