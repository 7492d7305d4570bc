/** The words of a price formula, and what is calculated with them. */
/** What a formula counts: what is read, written, cached and heard. `1`: the request itself. */
export const formulaCounts = ["p", "c", "cr", "cc", "ai", "ao", "1"] as const;
export type FormulaCount = (typeof formulaCounts)[number];
/** What a quantity costs: for a million of it, as for a million requests. */
export type Costs = Readonly<Partial<Record<FormulaCount, number>>>;

/** Null for what is not known before a request. */
export type Value = Costs | boolean | null;
const token =
  /\s|(\d{1,15}(?:\.\d{0,15})?)|([A-Za-z_]\w{0,20})|"([^"]{0,100})"|(<=|>=|==|!=|&&|\|\||[-+*/?:(),<>])/y;

export interface Token {
  readonly number?: number;
  readonly name?: string;
  readonly text?: string;
  readonly sign?: string;
}

/** Null where the text has something else. */
export function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (found === null) return null;
    const [, number, name, quoted, sign] = found;
    if (number !== undefined) tokens.push({ number: Number(number) });
    else if (name !== undefined) tokens.push({ name });
    else if (sign !== undefined) tokens.push({ sign });
    else if (quoted !== undefined) tokens.push({ text: quoted });
  }
  return tokens;
}

const numberIn = (value: Value): number | null => {
  if (value === null || typeof value === "boolean") return null;
  return formulaCounts.every((count) => count === "1" || !value[count]) ? (value[1] ?? 0) : null;
};
const combined = (one: Costs, other: Costs, sign: 1 | -1): Costs =>
  Object.fromEntries(
    formulaCounts.flatMap((count) => {
      const [own = 0, more = 0] = [one[count], other[count]];
      const isNone = one[count] === undefined && other[count] === undefined;
      return isNone ? [] : [[count, own + sign * more]];
    }),
  );
const times = (costs: Costs, by: number): Costs =>
  Object.fromEntries(Object.entries(costs).map(([count, each]) => [count, each * by]));

export function calculated(sign: string, one: Value, other: Value): Value {
  if (one === null || other === null || typeof one === "boolean" || typeof other === "boolean")
    return null;
  if (sign === "+" || sign === "-") return combined(one, other, sign === "+" ? 1 : -1);
  const [left, right] = [numberIn(one), numberIn(other)];
  if (sign === "/") return right ? times(one, 1 / right) : null;
  return right !== null ? times(one, right) : left !== null ? times(other, left) : null;
}

export function isSo(sign: string, one: number, other: number): boolean {
  if (sign === "<") return one < other;
  if (sign === "<=") return one <= other;
  if (sign === ">") return one > other;
  if (sign === ">=") return one >= other;
  return (one === other) === (sign === "==");
}

export const mirrored: Readonly<Record<string, string>> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

export const both = (one: Value, other: Value): Value =>
  one === false || other === false ? false : one === true && other === true ? true : null;
export const negated = (value: Value): Value => (typeof value === "boolean" ? !value : null);
