/** Finds places of the documentation by words. */

export interface DocPlace {
  readonly path: string;
  readonly title: string;
  /** The name of its page. */
  readonly page: string;
  readonly text: string;
}

const SHOWN_MAX = 8;

/** The places that have all words, those with the words in their title first; and how many there are. */
export function findPlaces(places: readonly DocPlace[], query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  if (words.length === 0) return { count: 0, shown: [] };
  const named = places.filter(({ title }) => hasAll(title));
  const others = places.filter(
    ({ title, page, text }) => !hasAll(title) && hasAll(`${title} ${page} ${text}`),
  );
  const found = [...named, ...others];
  return { count: found.length, shown: found.slice(0, SHOWN_MAX) };
}

const anchors: Readonly<Record<string, string>> = {
  openCode: "opencode",
  openWebUi: "open-webui",
};

/** The anchor of a guide's section, by the name of its texts. */
export const anchorOf = (name: string): string =>
  anchors[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A part of a message that the build has read: a text, or a mark or value with its name first. */
function partWords(part: unknown): string {
  if (typeof part === "string") return part;
  if (Array.isArray(part)) return part.slice(1).map(partWords).join("");
  if (typeof part !== "object" || part === null) return "";
  return Object.values(part).map(wordsOf).join(" ");
}

/** All words of a section's texts, without its title, marks and values. */
export function wordsOf(texts: unknown): string {
  if (typeof texts === "string") return texts.replaceAll(/<[^<>]*>|[{}]/g, "");
  if (Array.isArray(texts)) return texts.map(partWords).join("");
  if (typeof texts !== "object" || texts === null) return "";
  return Object.entries(texts)
    .flatMap(([name, text]) => (name === "title" ? [] : wordsOf(text)))
    .join(" ");
}
