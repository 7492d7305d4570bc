/** The command line of `npm run bench`. */
import { parseArgs } from "node:util";

/** `paced`: streams whose chunks come one by one, at the pace of a real model. */
export const kinds = ["plain", "stream", "paced"] as const;
export type Kind = (typeof kinds)[number];

/** Another gateway, to be measured beside the product. */
export interface PeerOptions {
  /** Up to the version, such as `http://127.0.0.1:8787/v1`. */
  readonly url: URL;
  readonly apiKey: string;
  readonly model: string;
  /** Lines of the head of each request, as the gateway needs them. */
  readonly headers: readonly string[];
}

export interface BenchOptions {
  readonly kinds: readonly Kind[];
  /** Null for the usual ones of each kind. */
  readonly callers: number | null;
  /** Null for any free one. */
  readonly upstreamPort: number | null;
  readonly peer: PeerOptions | null;
}

const usage = `npm run bench -- [${kinds.join("|")}] [callers] [--upstream-port N] [--against URL --key KEY [--model NAME] [--header "name: value"]...]`;
const USUAL_CALLERS: Readonly<Record<Kind, readonly number[]>> = {
  plain: [1, 32, 128],
  stream: [1, 32, 128],
  paced: [500],
};

export const callersOf = (kind: Kind, { callers }: BenchOptions): readonly number[] =>
  callers === null ? USUAL_CALLERS[kind] : [callers];

function wholeNumber(name: string, text: string | undefined, max: number): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw new Error(`${name} must be a whole number from 1 to ${max}, not "${text}". ${usage}`);
  return value;
}

function urlOf(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error(`--against must be an http or https address, not "${text}". ${usage}`);
  return new URL(text);
}

export function readOptions(words: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      against: { type: "string" },
      key: { type: "string", default: "" },
      model: { type: "string", default: "RelayV1" },
      header: { type: "string", multiple: true, default: [] },
      "upstream-port": { type: "string" },
    },
  });
  const [named, callers] = positionals;
  const kind = kinds.find((one) => one === named);
  if (named !== undefined && kind === undefined)
    throw new Error(`"${named}" is not one of ${kinds.join(", ")}. ${usage}`);
  const { against, key, model, header } = values;
  const broken = header.find((line) => !/^[\w-]+: [^\r\n]*$/.test(line));
  if (broken !== undefined)
    throw new Error(`--header must be like "name: value", not "${broken}". ${usage}`);
  return {
    kinds: kind === undefined ? kinds : [kind],
    callers: wholeNumber("the number of callers", callers, 2000),
    upstreamPort: wholeNumber("--upstream-port", values["upstream-port"], 65_535),
    peer:
      against === undefined ? null : { url: urlOf(against), apiKey: key, model, headers: header },
  };
}
