import { type Budget, impossible } from "./budget";
import { textMatching } from "./pattern";
import { type SchemaObject, strictest } from "./schema";

const two = (value: number): string => String((value % 28) + 1).padStart(2, "0");

/** An example of each format, a different one for each `variant`. */
const formats: Readonly<Record<string, (variant: number) => string>> = {
  date: (variant) => `2026-01-${two(variant)}`,
  "date-time": (variant) => `2026-01-${two(variant)}T12:00:00Z`,
  time: (variant) => `12:00:${two(variant)}Z`,
  duration: (variant) => `P${variant + 1}D`,
  email: (variant) => `sandbox${variant || ""}@example.com`,
  "idn-email": (variant) => `sandbox${variant || ""}@example.com`,
  hostname: (variant) => `sandbox${variant || ""}.example.com`,
  "idn-hostname": (variant) => `sandbox${variant || ""}.example.com`,
  ipv4: (variant) => `192.0.2.${(variant % 250) + 1}`,
  ipv6: (variant) => `2001:db8::${((variant % 65_000) + 1).toString(16)}`,
  uri: (variant) => `https://example.com/sandbox${variant || ""}`,
  url: (variant) => `https://example.com/sandbox${variant || ""}`,
  iri: (variant) => `https://example.com/sandbox${variant || ""}`,
  "uri-reference": (variant) => `/sandbox${variant || ""}`,
  "json-pointer": (variant) => `/sandbox${variant || ""}`,
  uuid: (variant) => `5a4db0c5-0000-4000-8000-${(variant + 1).toString(16).padStart(12, "0")}`,
  base64: () => "c2FuZGJveA==",
  byte: () => "c2FuZGJveA==",
};

/** Cuts or extends a text to the length. */
function fitted(text: string, least: number, most: number): string {
  const characters = [...text];
  if (characters.length > most) return characters.slice(0, most).join("");
  return characters.length < least
    ? text.padEnd(text.length + least - characters.length, ".")
    : text;
}

function matching(
  patterns: readonly string[],
  least: number,
  most: number,
  budget: Budget,
): string | null {
  const made = patterns.map((pattern) =>
    textMatching(pattern, patterns.length === 1 ? least : 0, most, budget),
  );
  if (made.some((text) => text === null)) return null;
  return made.length === 1 ? (made[0] ?? null) : fitted(made.join(""), least, most);
}

/**
 * A text for all `schemas`: an example of its format, a match of its pattern, or a text with the
 * member's name.
 */
export function makeText(
  schemas: readonly SchemaObject[],
  name: string,
  variant: number,
  budget: Budget,
): string {
  const least = strictest(schemas, "minLength", Math.max) ?? 0;
  const most = strictest(schemas, "maxLength", Math.min) ?? Number.POSITIVE_INFINITY;
  if (least > most) throw impossible;
  budget.step(least / 10);
  const format = schemas
    .map((schema) => (typeof schema.format === "string" ? formats[schema.format] : undefined))
    .find(Boolean);
  const example = format?.(variant);
  const patterns = schemas
    .map(({ pattern }) => pattern)
    .filter((pattern): pattern is string => typeof pattern === "string");
  const text =
    example !== undefined && example.length >= least && example.length <= most
      ? example
      : ((patterns.length > 0 ? matching(patterns, least, most, budget) : null) ??
        fitted(plainText(name, variant, most), least, most));
  budget.characters(text.length);
  return text;
}

function plainText(name: string, variant: number, most: number): string {
  const words = name === "" ? "sandbox" : `sandbox ${name.slice(0, 40)}`;
  if (variant === 0) return words;
  const number = String(variant + 1);
  return `${words.slice(0, Math.max(0, most - number.length - 1))} ${number}`.slice(-most);
}
