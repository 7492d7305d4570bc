import { isRelayError } from "@/lib/failures/relay-error";
import type { Settings } from "@/lib/settings/settings";
import {
  type AnyCommand,
  type Flags,
  type Report,
  readOptions,
  type Terminal,
  UsageError,
} from "./command";
import { nouns } from "./nouns";
import type { OpenInstallation } from "./open";

async function helpText(only?: string): Promise<string> {
  const shown = Object.entries(nouns).filter(([noun]) => only === undefined || noun === only);
  const lines = await Promise.all(
    shown.map(async ([noun, load]) =>
      Object.entries(await load()).map(
        ([verb, { usage }]) => `  ${[noun, verb, usage].filter((part) => part !== "").join(" ")}`,
      ),
    ),
  );
  return ["Usage: npm run --silent relay -- COMMAND [--json]", "", ...lines.flat()].join("\n");
}

interface FoundCommand {
  readonly command: AnyCommand;
  readonly rest: readonly string[];
}

async function findCommand(words: readonly string[]): Promise<FoundCommand> {
  const [noun = "", verb = ""] = words;
  const load = Object.hasOwn(nouns, noun) ? nouns[noun] : undefined;
  if (load === undefined) throw new UsageError(`there is no command ${noun}`);
  const verbs = await load();
  if (verbs[""] !== undefined) return { command: verbs[""], rest: words.slice(1) };
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (command === undefined) {
    throw new UsageError(`${noun} needs one of ${Object.keys(verbs).join(", ")}`);
  }
  return { command, rest: words.slice(2) };
}

/** Opens the installation that a command closes when it is over. */
export type OpenFor = (
  settings: Settings,
  environment: NodeJS.ProcessEnv,
) => Promise<OpenInstallation>;

/**
 * Prisma with its WebAssembly takes longer to load than everything else: only commands that need it
 * load it.
 */
async function runCommand(
  command: AnyCommand,
  flags: Flags,
  environment: NodeJS.ProcessEnv,
  open?: OpenFor,
): Promise<Report> {
  const { readSettings } = await import("@/lib/settings/settings");
  const settings = readSettings(environment);
  if ("runBare" in command) return command.runBare(settings, flags);
  if ("runOnPool" in command && open === undefined) {
    const { pool, close } = await (await import("./open-pool")).openMigratedPool(settings);
    return command.runOnPool(pool, flags).finally(close);
  }
  const { openInstallation } = await import("./open");
  const installation = await (open ?? openInstallation)(settings, environment);
  const report =
    "run" in command
      ? command.run(installation, flags)
      : command.runOnPool(installation.pool, flags);
  return report.finally(installation.close);
}

const oneLine = (error: unknown): string => {
  if (isRelayError(error)) return error.message;
  const message =
    error instanceof AggregateError
      ? error.errors.map(oneLine).join("; ")
      : error instanceof Error
        ? error.message
        : String(error);
  return (message.trim().split("\n").at(-1) ?? "").trim() || "unknown error";
};

/** Runs one command, on what `open` opens, and returns its exit code. */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
  open?: OpenFor,
): Promise<number> {
  const { stdout, stderr } = terminal;
  if (words.length === 0 || words.includes("--help") || words[0] === "help") {
    stdout.write(`${await helpText()}\n`);
    return words.length === 0 ? 2 : 0;
  }
  try {
    const { command, rest } = await findCommand(words);
    const flags = readOptions(command, rest, terminal);
    const {
      json,
      text,
      isGood = true,
    } = await runCommand(command, flags, terminal.readEnvironment(), open);
    stdout.write(`${flags.flag("json") ? JSON.stringify(json) : text}\n`);
    return isGood ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) {
      stderr.write(`${oneLine(error)}\n`);
      return 1;
    }
    const noun = Object.hasOwn(nouns, words[0] ?? "") ? words[0] : undefined;
    stderr.write(`${error.message}\n\n${await helpText(noun)}\n`);
    return 2;
  }
}
