/**
 * Commands from the rows of the pages: options and help come from a row's schemas, the row's own
 * use case runs in this process as the command line, and `--json` prints what `/v1` would answer.
 */
import type { UserSession } from "@/lib/accounts/session-store";
import { openArchivedRequests } from "@/lib/archive/archived-requests";
import type { PageEndpoint, PageEndpoints } from "@/lib/contract/page-endpoint";
import { toWire } from "@/lib/contract/wire";
import { isRelayError, reworded } from "@/lib/failures/relay-error";
import { runRow } from "@/lib/http/serve-page";
import { programCall, programUser } from "@/lib/pages-api/program-call";
import { type ProgramDeps, programParts, type UseCases } from "@/lib/pages-api/use-case";
import { isRecord } from "@/lib/values/records";
import { actor, type Command, type Report } from "./command";
import type { OpenInstallation } from "./open";
import { RowOptions } from "./row-options";
import { table } from "./table";
import { withBlobs } from "./with-blobs";

type Line = Record<string, string | number | null>;

/** The members of a row of a list, for people: lists in one cell, objects by their name. */
function lineOf(value: Record<string, unknown>): Line {
  const line: Line = {};
  for (const [name, each] of Object.entries(value)) {
    if (Array.isArray(each)) line[name] = each.some(isRecord) ? each.length : each.join(",");
    else if (each === null || typeof each === "string" || typeof each === "number")
      line[name] = each;
    else if (typeof each === "boolean") line[name] = each ? "yes" : "no";
    else if (isRecord(each) && nameOf(each) !== null) line[name] = nameOf(each);
  }
  return line;
}

const nameOf = ({ name, email, id }: Record<string, unknown>): string | null =>
  [name, email, id].find((each) => typeof each === "string") ?? null;

const cellOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" || value === null
    ? value
    : JSON.stringify(value);

/** An object in one line; with others in it, a line for each field. */
function objectText(value: Record<string, unknown>): string {
  const isDeep = Object.values(value).some((each) => isRecord(each) && nameOf(each) === null);
  if (!isDeep) return table([lineOf(value)]);
  return table(Object.entries(value).map(([field, each]) => ({ field, value: cellOf(each) })));
}

/** A list or an object of an answer as a table; null for anything else. */
function partOf(part: unknown): string | null {
  if (Array.isArray(part))
    return part.every((each) => typeof each === "string")
      ? part.join("\n") || "none"
      : table(part.filter(isRecord).map(lineOf));
  return isRecord(part) ? objectText(part) : null;
}

/** An answer for people: its lists and objects, its values, and what is shown once. */
function textOf(answer: unknown): string {
  if (!isRecord(answer) || answer.done === true) return "done";
  const { secret, link, nextCursor, ...shown } = answer;
  const parts = Object.values(shown).flatMap((part) => partOf(part) ?? []);
  const once = secret ?? link;
  const others = Object.entries(shown).filter(([, part]) => partOf(part) === null);
  if (others.length > 0) parts.push(table([lineOf(Object.fromEntries(others))]));
  if (typeof once === "string") parts.push(`${once}\nStore this now: it is not shown again.`);
  if (typeof nextCursor === "string") parts.push(`The next page: --after ${nextCursor}`);
  return parts.join("\n\n");
}

function depsOf(installation: OpenInstallation): ProgramDeps {
  const { database, pool, ledger, settings, live } = installation;
  return {
    ...{ ...programParts, database, pool, ledger, settings, live },
    secrets: installation.secrets(),
    historyReaders: { of: () => pool },
    archive: {
      find: (name, by) =>
        withBlobs(settings, (blobs) => openArchivedRequests(pool, blobs).find(name, by)),
    },
  };
}

function rowCommand<Row extends PageEndpoint>(
  row: Row,
  run: UseCases<{ row: Row }, ProgramDeps>["row"],
): Command {
  const taken = new RowOptions(row);
  return {
    usage: taken.usage,
    unshown: taken.unshown,
    async run(installation, flags): Promise<Report> {
      try {
        const accountId = await taken.account(installation, flags);
        const call = programCall({
          deps: depsOf(installation),
          user: programUser({ id: actor, accountId, isOperator: row.who === "operator" }),
          body: await taken.bodyOf(installation, flags),
          query: await taken.queryOf(installation, flags),
          id: await taken.id(installation, flags),
          address: undefined,
          gone: new AbortController().signal,
        });
        const result = await runRow<ProgramDeps, UserSession, Row>(run, call);
        if (row.answer === "csv" || row.answer === "pdf") throw new Error("a file has no command");
        const answer = row.answer.parse(result);
        const json = toWire(row.answer, answer);
        return { json: isRecord(json) ? json : { json }, text: textOf(answer) };
      } catch (error) {
        if (!isRelayError(error)) throw error;
        throw reworded(error, { message: taken.renamed(error.message), param: error.param });
      }
    },
  };
}

/** The commands of a noun: those of the rows that name it. */
export function commandsOf<Rows extends PageEndpoints>(
  noun: string,
  rows: Rows,
  useCases: UseCases<Rows, ProgramDeps>,
): Readonly<Record<string, Command>> {
  const named = Object.keys(rows).flatMap((name) => {
    const [own, verb = ""] = rows[name]?.command?.split(" ") ?? [];
    const row = rows[name];
    const run = useCases[name];
    return own === noun && row && run ? [[verb, rowCommand(row, run)] as const] : [];
  });
  return Object.fromEntries(named);
}
