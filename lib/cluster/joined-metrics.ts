/** The metrics of several processes as one text in Prometheus's format. */

/** What the values of several workers are together. */
export type Join = "sum" | "max" | "min";

export interface FamilyReading {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  readonly join: Join;
  /** A name with labels, a space and a number. */
  readonly lines: readonly string[];
}

/** A family with more samples than this is cut: its labels would come from no fixed list. */
const SAMPLES_MAX = 20_000;

const joined: Readonly<Record<Join, (one: number, other: number) => number>> = {
  sum: (one, other) => one + other,
  max: Math.max,
  min: Math.min,
};

interface Samples extends Omit<FamilyReading, "lines"> {
  readonly values: Map<string, number>;
}

function add({ values, join }: Samples, lines: readonly string[]): void {
  for (const line of lines) {
    const space = line.lastIndexOf(" ");
    const sample = line.slice(0, space);
    const value = Number(line.slice(space + 1));
    const known = values.get(sample);
    if (known !== undefined) values.set(sample, joined[join](known, value));
    else if (values.size < SAMPLES_MAX) values.set(sample, value);
  }
}

/** Joins the readings of several processes, family by family. */
export function joinReadings(all: readonly (readonly FamilyReading[])[]): FamilyReading[] {
  const byName = new Map<string, Samples>();
  for (const { lines, ...family } of all.flat()) {
    const known = byName.get(family.name) ?? { ...family, values: new Map<string, number>() };
    byName.set(family.name, known);
    add(known, lines);
  }
  return [...byName.values()].map(({ values, ...family }) => ({
    ...family,
    lines: [...values].map(([sample, value]) => `${sample} ${value}`),
  }));
}

/** The families that only grow. */
export const totalsOf = (families: readonly FamilyReading[]): FamilyReading[] =>
  families.filter(({ type }) => type === "counter" || type === "histogram");

export function textOf(families: readonly FamilyReading[]): string {
  const blocks = families.map(({ name, help, type, lines }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...lines,
  ]);
  return `${blocks.flat().join("\n")}\n`;
}
