/** What a test reads of a running cluster: its counters, and which worker answered what. */

/** The values of all counters and histograms in a text of `/metrics`, by their name and labels. */
export function countersOf(text: string): Map<string, number> {
  const counters = new Map<string, number>();
  let isCounter = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("# TYPE ")) isCounter = /(counter|histogram)$/.test(line);
    const space = line.lastIndexOf(" ");
    if (isCounter && line !== "" && !line.startsWith("#"))
      counters.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return counters;
}

/** Those that are lower than they were, or are no longer there. */
export const fallen = (
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): string[] =>
  [...before].filter(([name, value]) => !((now.get(name) ?? -1) >= value)).map(([name]) => name);

export interface AnswerLine {
  readonly worker?: number;
  readonly requestId: string;
  readonly endpoint: string;
}

/** The lines of a log (level `debug`) about answers. Throws where a line is torn. */
export const answersIn = (log: string): AnswerLine[] =>
  log
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "answered");
