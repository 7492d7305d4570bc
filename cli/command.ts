import { parseArgs } from "node:util";
import type pg from "pg";
import { isShownText } from "@/lib/contract/shown-rule";
import { isRelayError, RelayError } from "@/lib/failures/relay-error";
import type { Micropoints } from "@/lib/money/points";
import { parsePoints } from "@/lib/money/points";
import type { Settings } from "@/lib/settings/settings";
import type { OpenInstallation } from "./open";

/** The actor that the audit log names for commands of the command line. */
export const actor = "cli";

/** The arguments cannot be understood: exit code 2. */
export class UsageError extends Error {}

/** The output of a command: a JSON document, and a text with the same content. */
export interface Report {
  readonly json: Record<string, unknown>;
  readonly text: string;
  /** False when the answer is negative: exit code 1. */
  readonly isGood?: boolean;
}

type Options = Readonly<Record<string, "string" | "boolean">>;

export interface Command {
  /** The options as help shows them, such as `--email E --points N`, and what is to be said of them. */
  readonly usage: string;
  /** Further ones, which help does not show. */
  readonly unshown?: Options;
  run(installation: OpenInstallation, flags: Flags): Promise<Report>;
}

/** A command that only reads. It needs a migrated database, but neither Prisma nor the ledger. */
export interface PoolCommand extends Omit<Command, "run"> {
  runOnPool(pool: pg.Pool, flags: Flags): Promise<Report>;
}

/** A command that needs only the settings. It takes its database as it is. */
export interface BareCommand extends Omit<Command, "run"> {
  runBare(settings: Settings, flags: Flags): Promise<Report>;
}

export type AnyCommand = Command | PoolCommand | BareCommand;

/**
 * The environment of a command: its standard streams, and the environment variables completed by
 * `.env`.
 */
export interface Terminal {
  readEnvironment(): NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Options whose text may have several lines. */
const severalLines = /^text/;

const LINE_CHARACTERS_MAX = 10_000;

/** Without the line end. */
async function readFirstLine(input: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  input.setEncoding("utf8");
  for await (const part of input) {
    text += part;
    if (text.includes("\n") || text.length > LINE_CHARACTERS_MAX) break;
  }
  return (text.split("\n")[0] ?? "").replace(/\r$/, "");
}

/** The options as Node's parser returns them; the lists belong to options that may be repeated. */
type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** The options of a call, each read as its type. */
export class Flags {
  readonly #values: Values;

  readonly #terminal: Pick<Terminal, "readEnvironment" | "stdin">;

  constructor(values: Values, terminal: Pick<Terminal, "readEnvironment" | "stdin">) {
    this.#values = values;
    this.#terminal = terminal;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  optional(name: string): string | null {
    const value = this.#values[name];
    if (typeof value !== "string") return null;
    if (!isShownText(value) && !severalLines.test(name))
      throw new UsageError(
        `--${name} must be one line, without control characters and marks of direction`,
      );
    return value;
  }

  text(name: string): string {
    const value = this.optional(name);
    if (value === null || value.trim() === "") throw new UsageError(`--${name} is missing`);
    return value;
  }

  /**
   * A secret, which must not be visible in the list of processes: the first line of standard input
   * for `--NAME -` or `--NAME-stdin`, or the environment variable. The option's own value is still
   * accepted. Null when not given.
   */
  async secret(name: string, variable: string | null): Promise<string | null> {
    const value = this.optional(name);
    const isPiped = value === "-" || this.flag(`${name}-stdin`);
    const inEnvironment =
      variable === null ? undefined : this.#terminal.readEnvironment()[variable];
    if (!isPiped) return value ?? (inEnvironment || null);
    const line = await readFirstLine(this.#terminal.stdin);
    if (line === "") throw new UsageError(`--${name} is missing: standard input was empty`);
    return line;
  }

  /** Points with up to six decimals; null when not given. */
  points(name: string): Micropoints | null {
    const text = this.optional(name);
    if (text === null) return null;
    const amount = parsePoints(text);
    if (amount === null)
      throw new UsageError(`--${name} ${text} is not a number of points with up to six decimals`);
    return amount;
  }

  pointsNotNegative(name: string): Micropoints | null {
    const amount = this.points(name);
    if (amount !== null && amount < 0n) throw new UsageError(`--${name} must not be negative`);
    return amount;
  }

  whole(name: string): number | undefined {
    const text = this.optional(name);
    if (text === null) return undefined;
    if (!/^-?\d{1,9}$/.test(text)) throw new UsageError(`--${name} ${text} is not a whole number`);
    return Number(text);
  }

  /** An ISO 8601 time; a date alone is its start in UTC. Null when not given. */
  moment(name: string): Date | null {
    const text = this.optional(name);
    if (text === null) return null;
    const moment = new Date(text);
    if (!/^\d{4}-\d{2}-\d{2}(T.*)?$/.test(text) || Number.isNaN(moment.getTime())) {
      throw new UsageError(`--${name} ${text} is not a time such as 2026-12-31T00:00:00Z`);
    }
    return moment;
  }
}

/**
 * Joins an option and a negative number that follows it, which the parser would take for another
 * option.
 */
function joinNegatives(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (/^-\d/.test(word) && last !== undefined && /^--[a-z-]+$/.test(last))
      joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** The options of a command: those that its usage names, with a value where one follows the name. */
export function optionsOf({ usage, unshown }: Pick<Command, "usage" | "unshown">): Options {
  const options: Record<string, "string" | "boolean"> = {};
  const [shown = ""] = usage.split(/ {3,9}\(/);
  for (const [, name = "", value] of shown.matchAll(/--([a-z-]+)( (?!--|[|[(\s]))?/g))
    options[name] ??= value === undefined ? "boolean" : "string";
  return { ...options, ...unshown, json: "boolean" };
}

/** Throws `UsageError` for an unknown option, a missing value or an extra word. */
export function readOptions(
  command: Pick<Command, "usage" | "unshown">,
  words: readonly string[],
  terminal: Terminal,
): Flags {
  const options = Object.fromEntries(
    Object.entries(optionsOf(command)).map(([name, type]) => [name, { type }]),
  );
  try {
    const { values } = parseArgs({ args: joinNegatives(words), options, strict: true });
    return new Flags(values, terminal);
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error),
    );
  }
}

/**
 * Runs work that is done once per `ref`. When the database gave no answer, prints how to repeat it,
 * since it may have been done.
 */
export async function oncePerRef<T>(ref: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRelayError(error) || error.code !== "database_unavailable") throw error;
    const message = `The database did not answer, so the command may or may not have taken effect. Run it again with --ref ${ref}: it takes effect only once.`;
    throw new RelayError("database_unavailable", { message, cause: error });
  }
}
