/**
 * A filter of requests as one line of text, such as `status:failed model:2.5 > 200 points`: read into
 * the parameters of the page's URL, and written from them.
 */
import { parsePoints } from "../money/points";

/** Something that a word may name, by its id. */
interface Nameable {
  readonly id: string;
  readonly name: string;
}

/** What a filter may name. A list that the reader may not see is empty. */
export interface Known {
  readonly models: readonly Nameable[];
  readonly keys: readonly Nameable[];
  readonly members: readonly Nameable[];
  readonly dialects: readonly Nameable[];
}

type FilterName =
  | "status"
  | "model"
  | "key"
  | "member"
  | "dialect"
  | "pointsMin"
  | "pointsMax"
  | "request";
export type FilterValues = Readonly<Partial<Record<FilterName, string | undefined>>>;

export type FilterProblem =
  | { readonly code: "unknownName"; readonly word: string }
  | { readonly code: "unknownStatus"; readonly word: string }
  | { readonly code: "noneMatches"; readonly word: string }
  | { readonly code: "severalMatch"; readonly word: string; readonly names: string }
  | { readonly code: "twice"; readonly word: string }
  | { readonly code: "noPoints"; readonly word: string };

export type ReadFilter =
  | { readonly values: FilterValues; readonly problem: null }
  | { readonly values: null; readonly problem: FilterProblem };

/** Other words for the states; the first of each is written. */
const statusWords: Readonly<Record<string, readonly string[]>> = {
  released: ["failed", "released", "uncharged"],
  settled: ["settled", "charged", "ok"],
  held: ["running", "held"],
};
export const filterExample = "status:failed model:2.5 > 200 points";
export const filterNames = ["status", "model", "key", "member", "api"] as const;
const requestId = /^(req_[0-9a-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const NAMES_SHOWN = 4;

class Refused extends Error {
  constructor(readonly problem: FilterProblem) {
    super(problem.code);
  }
}

/** The one thing with this id, this name, or this part of a name. */
function idOf(word: string, text: string, all: readonly Nameable[]): string {
  const wanted = text.toLowerCase();
  const same = all.filter(
    ({ id, name }) => [id, name.toLowerCase()].includes(wanted) || id === text,
  );
  const parts = all.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted));
  const found = same.length > 0 ? same : parts;
  if (found.length === 1 && found[0] !== undefined) return found[0].id;
  if (found.length === 0) throw new Refused({ code: "noneMatches", word });
  const names = found.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const more = found.length > NAMES_SHOWN ? ", …" : "";
  throw new Refused({ code: "severalMatch", word, names: names.join(", ") + more });
}

function namedValue(word: string, name: string, text: string, known: Known): [FilterName, string] {
  switch (name) {
    case "status": {
      const state = Object.entries(statusWords).find(([, words]) =>
        words.includes(text.toLowerCase()),
      );
      if (state === undefined) throw new Refused({ code: "unknownStatus", word });
      return ["status", state[0]];
    }
    case "model":
      return ["model", idOf(word, text, known.models)];
    case "key":
      return ["key", text === "none" ? text : idOf(word, text, known.keys)];
    case "member":
      return ["member", idOf(word, text, known.members)];
    case "api":
    case "dialect":
      return ["dialect", idOf(word, text, known.dialects)];
    default:
      throw new Refused({ code: "unknownName", word });
  }
}

/** `> 200 points`, also without spaces and without the last word. */
const bound = /([<>]=?)\s*([^\s<>]*)(?:\s+points?\b)?/gi;
/** A word with a name, whose value may stand in quotes; or any other word. */
const words = /(\w+):(?:"([^"]*)"|(\S*))|\S+/g;

/** Reads the line; the first word that is not understood is its problem. */
export function readFilter(line: string, known: Known): ReadFilter {
  const values: Partial<Record<FilterName, string>> = {};
  const set = (word: string, name: FilterName, value: string) => {
    if (values[name] !== undefined) throw new Refused({ code: "twice", word });
    values[name] = value;
  };
  try {
    const rest = line.replace(bound, (word: string, sign: string, amount: string) => {
      const points = parsePoints(amount);
      if (points === null || points < 0n) throw new Refused({ code: "noPoints", word });
      set(word, sign.startsWith(">") ? "pointsMin" : "pointsMax", amount);
      return " ";
    });
    for (const [word, name, quoted, plain] of rest.matchAll(words)) {
      const text = quoted ?? plain ?? "";
      if (name !== undefined) set(word, ...namedValue(word, name.toLowerCase(), text, known));
      else if (requestId.test(word)) set(word, "request", word);
      else throw new Refused({ code: "unknownName", word });
    }
    return { values, problem: null };
  } catch (error) {
    if (error instanceof Refused) return { values: null, problem: error.problem };
    throw error;
  }
}

const quoted = (text: string) => (/\s/.test(text) ? `"${text}"` : text);

/** The line for these parameters. */
export function writeFilter(values: FilterValues, known: Known): string {
  const nameIn = (all: readonly Nameable[], id: string) =>
    quoted(all.find((each) => each.id === id)?.name ?? id);
  const { status, model, key, member, dialect, pointsMin, pointsMax } = values;
  return [
    status && `status:${statusWords[status]?.[0] ?? status}`,
    model && `model:${nameIn(known.models, model)}`,
    key && `key:${nameIn(known.keys, key)}`,
    member && `member:${nameIn(known.members, member)}`,
    dialect && `api:${nameIn(known.dialects, dialect)}`,
    pointsMin && `>= ${pointsMin} points`,
    pointsMax && `<= ${pointsMax} points`,
  ]
    .filter(Boolean)
    .join(" ");
}
