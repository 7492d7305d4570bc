/** `npm run --silent relay -- NOUN VERB …`: exit 0 done, 1 refused, 2 wrong usage. */
import { existsSync } from "node:fs";
import { isRelayError } from "@/lib/errors";
import { readSettings } from "@/lib/settings";
import { accountCommands } from "./account";
import { auditCommands } from "./audit";
import { backupCommands } from "./backup";
import { channelCommands } from "./channel";
import { type BareCommand, type Command, type Given, type Report, readOptions, UsageError } from "./command";
import { databaseCommands } from "./database";
import { inviteCommands } from "./invite";
import { keyCommands } from "./key";
import { ledgerCommands } from "./ledger";
import { moneyCommands } from "./money";
import { nodeCommands } from "./node";
import { openInstallation } from "./open";
import { packageCommands } from "./package";
import { paymentCommands } from "./payment";
import { priceCommands } from "./price";
import { requestCommands } from "./request";
import { secretCommands } from "./secret";
import { noticeCommands, settingCommands } from "./setting";
import { taskCommands } from "./task";
import { usageCommands } from "./usage";
import { voucherCommands } from "./voucher";

/** A command without a verb stands under the empty one. */
const nouns: Readonly<Record<string, Readonly<Record<string, Command | BareCommand>>>> = {
  account: accountCommands,
  key: keyCommands,
  channel: channelCommands,
  price: priceCommands,
  setting: settingCommands,
  notice: noticeCommands,
  voucher: voucherCommands,
  money: moneyCommands,
  package: packageCommands,
  payment: paymentCommands,
  usage: usageCommands,
  request: requestCommands,
  task: taskCommands,
  ledger: ledgerCommands,
  backup: backupCommands,
  database: databaseCommands,
  secret: secretCommands,
  invite: inviteCommands,
  audit: auditCommands,
  node: nodeCommands,
};

function helpText(only?: string): string {
  const lines = Object.entries(nouns)
    .filter(([noun]) => only === undefined || noun === only)
    .flatMap(([noun, verbs]) =>
      Object.entries(verbs).map(([verb, { usage }]) => `  ${[noun, verb, usage].filter((part) => part !== "").join(" ")}`),
    );
  return ["Usage: npm run --silent relay -- COMMAND [--json]", "", ...lines].join("\n");
}

function findCommand(words: readonly string[]): { command: Command | BareCommand; rest: readonly string[] } {
  const [noun = "", verb = ""] = words;
  const verbs = Object.hasOwn(nouns, noun) ? nouns[noun] : undefined;
  if (verbs === undefined) throw new UsageError(`there is no command ${noun}`);
  if (verbs[""] !== undefined) return { command: verbs[""], rest: words.slice(1) };
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (command === undefined) throw new UsageError(`${noun} is followed by ${Object.keys(verbs).join(", ")}`);
  return { command, rest: words.slice(2) };
}

async function runCommand(command: Command | BareCommand, given: Given): Promise<Report> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const settings = readSettings(process.env);
  if ("runBare" in command) return command.runBare(settings, given);
  const opened = await openInstallation(settings);
  try {
    return await command.run(opened, given);
  } finally {
    await opened.close();
  }
}

const oneLine = (error: unknown): string => {
  if (isRelayError(error)) return error.message;
  const message =
    error instanceof AggregateError ? error.errors.map(oneLine).join("; ") : error instanceof Error ? error.message : String(error);
  return (message.trim().split("\n").at(-1) ?? "").trim() || "something went wrong";
};

async function main(words: readonly string[]): Promise<number> {
  const isHelp = words.length === 0 || words.includes("--help") || words[0] === "help";
  if (isHelp) {
    process.stdout.write(`${helpText()}\n`);
    return words.length === 0 ? 2 : 0;
  }
  try {
    const { command, rest } = findCommand(words);
    const given = readOptions(command, rest);
    const { json, text, isGood = true } = await runCommand(command, given);
    process.stdout.write(`${given.flag("json") ? JSON.stringify(json) : text}\n`);
    return isGood ? 0 : 1;
  } catch (error) {
    if (error instanceof UsageError)
      process.stderr.write(`${error.message}\n\n${helpText(Object.hasOwn(nouns, words[0] ?? "") ? words[0] : undefined)}\n`);
    else process.stderr.write(`${oneLine(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
