import { parseArgs } from "node:util";
import type pg from "pg";
import { isRelayError, RelayError } from "@/lib/errors";
import type { Micropoints } from "@/lib/points";
import { parsePoints } from "@/lib/points";
import type { Settings } from "@/lib/settings";
import type { Opened } from "./open";

/** Who the log of actions says did what a command line asks for. */
export const actor = "cli";

/** A command line that cannot be understood: exit 2. */
export class UsageError extends Error {}

/** What a command has to say: one JSON document, and the same for people. */
export interface Report {
  readonly json: Record<string, unknown>;
  readonly text: string;
  /** False: what was asked does not hold, exit 1. */
  readonly isGood?: boolean;
}

export interface Command {
  /** The options as help shows them, such as `--email E --points N`. */
  readonly usage: string;
  readonly options: Readonly<Record<string, "string" | "boolean">>;
  run(opened: Opened, given: Given): Promise<Report>;
}

/** A command that only reads: it needs a migrated database, and neither Prisma nor the ledger. */
export interface PoolCommand extends Omit<Command, "run"> {
  runOnPool(pool: pg.Pool, given: Given): Promise<Report>;
}

/** A command that works on the settings alone: it finds its database as it is. */
export interface BareCommand extends Omit<Command, "run"> {
  runBare(settings: Settings, given: Given): Promise<Report>;
}

export type AnyCommand = Command | PoolCommand | BareCommand;

/** Where a command is run: its standard streams, and its environment as `.env` completes it. */
export interface Terminal {
  readEnvironment(): NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

const LINE_CHARACTERS_MAX = 10_000;

/** Without its line end. */
async function readFirstLine(input: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  input.setEncoding("utf8");
  for await (const part of input) {
    text += part;
    if (text.includes("\n") || text.length > LINE_CHARACTERS_MAX) break;
  }
  return (text.split("\n")[0] ?? "").replace(/\r$/, "");
}

/** The options given, read by what they must be. */
export class Given {
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;

  readonly #terminal: Pick<Terminal, "readEnvironment" | "stdin">;

  constructor(values: Readonly<Record<string, string | boolean | undefined>>, terminal: Pick<Terminal, "readEnvironment" | "stdin">) {
    this.#values = values;
    this.#terminal = terminal;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  optional(name: string): string | null {
    const value = this.#values[name];
    return typeof value === "string" ? value : null;
  }

  text(name: string): string {
    const value = this.optional(name);
    if (value === null || value.trim() === "") throw new UsageError(`--${name} is missing`);
    return value;
  }

  /**
   * A secret, which the list of processes must not show: the first line of standard input where `--NAME -` or `--NAME-stdin` says so,
   * or the variable of the environment. As the option's own value it is still taken. Null when not given.
   */
  async secret(name: string, variable: string | null): Promise<string | null> {
    const value = this.optional(name);
    const isPiped = value === "-" || this.flag(`${name}-stdin`);
    const inEnvironment = variable === null ? undefined : this.#terminal.readEnvironment()[variable];
    if (!isPiped) return value ?? (inEnvironment || null);
    const line = await readFirstLine(this.#terminal.stdin);
    if (line === "") throw new UsageError(`--${name} was to come from standard input, which was empty`);
    return line;
  }

  /** Points with up to six decimals; null when not given. */
  points(name: string): Micropoints | null {
    const text = this.optional(name);
    if (text === null) return null;
    const amount = parsePoints(text);
    if (amount === null) throw new UsageError(`--${name} ${text} is not a number of points with up to six decimals`);
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

  /** An ISO 8601 moment; a date alone is its beginning in UTC. */
  moment(name: string): Date | null {
    const text = this.optional(name);
    if (text === null) return null;
    const moment = new Date(text);
    if (!/^\d{4}-\d{2}-\d{2}(T.*)?$/.test(text) || Number.isNaN(moment.getTime())) {
      throw new UsageError(`--${name} ${text} is not a moment such as 2026-12-31T00:00:00Z`);
    }
    return moment;
  }
}

/** A negative number after an option is its value, which the parser alone would take for another option. */
function joinNegatives(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (/^-\d/.test(word) && last !== undefined && /^--[a-z-]+$/.test(last)) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** Throws `UsageError` for an unknown option, a missing value or a stray word. */
export function readOptions(command: Pick<Command, "options">, words: readonly string[], terminal: Terminal): Given {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, json: "boolean" as const }).map(([name, type]) => [name, { type }]),
  );
  try {
    const { values } = parseArgs({ args: joinNegatives(words), options, strict: true });
    return new Given(values as Record<string, string | boolean>, terminal);
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error));
  }
}

/** Runs what counts once per `ref`; where the database gave no answer it says how to go on, since it may still be done. */
export async function oncePerRef<T>(ref: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRelayError(error) || error.code !== "database_unavailable") throw error;
    const message = `The database gave no answer: it may be done or not. Run the same command with --ref ${ref}, which counts once.`;
    throw new RelayError("database_unavailable", { message, cause: error });
  }
}
