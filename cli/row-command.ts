/**
 * Commands from the rows of the pages: options and help come from a row's schemas, the row's own
 * use case runs in this process as the command line, and `--json` prints what `/v1` would answer.
 */
import { safeParse, z } from "zod";
import type { UserSession } from "@/lib/accounts/session-store";
import type { PageEndpoint, PageEndpoints } from "@/lib/contract/page-endpoint";
import { fieldsOf, toWire, type WireField } from "@/lib/contract/wire";
import { wireForms } from "@/lib/contract/wire-forms";
import { isRelayError, reworded } from "@/lib/failures/relay-error";
import { runRow } from "@/lib/http/serve-page";
import { validate } from "@/lib/http/validate";
import { programCall, programUser } from "@/lib/pages-api/program-call";
import type { ProgramDeps, UseCases } from "@/lib/pages-api/use-case";
import { isRecord } from "@/lib/values/records";
import { ACCOUNT, accountNamed } from "./account-option";
import { actor, type Command, type Flags, type Report, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

const optionOf = ({ wire }: WireField) => wire.replaceAll("_", "-");

/** Without what lets it be absent or null. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapper || schema instanceof z.ZodDefault ? bare(schema.unwrap()) : schema;
}

/** How help shows a value. */
function shownValue(schema: z.core.$ZodType): string {
  const form = wireForms.get(schema);
  if (form !== undefined) return form.kind === "moment" ? "ISO" : "N";
  if (schema instanceof z.ZodEnum) return schema.options.join("|");
  if (schema instanceof z.ZodBoolean) return "yes|no";
  if (schema instanceof z.ZodNumber) return "N";
  if (schema instanceof z.ZodArray) return `${shownValue(bare(schema.element))},…`;
  return "T";
}

function shownOption(field: WireField): string {
  const shown = `--${optionOf(field)} ${shownValue(bare(field.schema))}`;
  return accepts(field.schema, undefined) || accepts(field.schema, null) ? `[${shown}]` : shown;
}

const accepts = (schema: z.core.$ZodType, value: null | undefined) =>
  safeParse(schema, value).success;

/** The value of an option, as the page's schema takes it. */
function given(flags: Flags, field: WireField): unknown {
  const name = optionOf(field);
  const text = flags.optional(name);
  const schema = bare(field.schema);
  if (text === null) return accepts(field.schema, undefined) ? undefined : missing(field);
  if (text === "none" && accepts(field.schema, null)) return null;
  if (wireForms.get(schema)?.kind === "moment") return flags.moment(name)?.toISOString();
  if (schema instanceof z.ZodNumber) return flags.whole(name);
  if (schema instanceof z.ZodArray) return text.split(",").map((word) => word.trim());
  if (!(schema instanceof z.ZodBoolean)) return text;
  if (text === "yes" || text === "no") return text === "yes";
  throw new UsageError(`--${name} must be yes or no`);
}

function missing(field: WireField): null {
  if (accepts(field.schema, null)) return null;
  throw new UsageError(`--${optionOf(field)} is missing`);
}

/** What was wrong, with the names that the options have. */
const withOptions = (message: string, fields: readonly WireField[]): string =>
  message.replace(/`(\w+)`/g, (all, name: string) => {
    const field = fields.find((each) => each.name === name);
    return field === undefined ? all : `--${optionOf(field)}`;
  });

/** The body or the query of a row, from options. */
function input(schema: z.ZodType | undefined, fields: readonly WireField[], flags: Flags): unknown {
  if (schema === undefined) return undefined;
  const entries = fields.map((field) => [field.name, given(flags, field)] as const);
  const value = Object.fromEntries(entries.filter(([, each]) => each !== undefined));
  try {
    validate(schema, value);
  } catch (error) {
    throw isRelayError(error) ? new UsageError(withOptions(error.message, fields)) : error;
  }
  return schema.parse(value);
}

type Line = Record<string, string | number | null>;

/** The members of a row of a list, for people: lists in one cell, objects left out. */
function lineOf(value: Record<string, unknown>): Line {
  const line: Line = {};
  for (const [name, each] of Object.entries(value)) {
    if (Array.isArray(each)) line[name] = each.some(isRecord) ? each.length : each.join(",");
    else if (each === null || typeof each === "string" || typeof each === "number")
      line[name] = each;
    else if (typeof each === "boolean") line[name] = each ? "yes" : "no";
  }
  return line;
}

/** An answer for people: its list, or the one thing that it is about, and what is shown once. */
function textOf(answer: unknown): string {
  if (!isRecord(answer)) return "done";
  const parts = Object.values(answer);
  const list = parts.find(Array.isArray);
  if (list !== undefined) return table(list.filter(isRecord).map(lineOf));
  const one = parts.find(isRecord);
  const { secret, link } = answer;
  const once = secret ?? link;
  const shown = one === undefined ? table([lineOf(answer)]) : table([lineOf(one)]);
  if (answer.done === true) return "done";
  return typeof once === "string"
    ? `${shown}\n\n${once}\nStore this now: it is not shown again.`
    : shown;
}

function depsOf(installation: OpenInstallation): ProgramDeps {
  const { database, pool, ledger, settings, live } = installation;
  // No session is kept in this process.
  const sessions = { forget() {} };
  return { database, pool, ledger, settings, live, sessions, secrets: installation.secrets() };
}

function rowCommand<Row extends PageEndpoint>(
  row: Row,
  run: UseCases<{ row: Row }, ProgramDeps>["row"],
): Command {
  const fields = [row.body, row.query].map((schema) =>
    schema instanceof z.ZodObject ? fieldsOf(schema) : [],
  );
  const [body = [], query = []] = fields;
  const isNamed = row.path.includes("{id}");
  const isOfAccount = row.who === "user";
  const shown = [isNamed ? "--id ID" : "", ...[...body, ...query].map(shownOption)];
  const names = [...(isNamed ? ["id"] : []), ...(isOfAccount ? ["account"] : [])];
  const options = [...names, ...[...body, ...query].map(optionOf)];
  return {
    usage: [...shown, isOfAccount ? ACCOUNT : ""].filter((part) => part !== "").join(" "),
    options: Object.fromEntries(options.map((name) => [name, "string" as const])),
    async run(installation, flags): Promise<Report> {
      const accountId = isOfAccount ? await accountNamed(installation, flags) : "";
      try {
        const call = programCall({
          deps: depsOf(installation),
          user: programUser({ id: actor, accountId, isOperator: !isOfAccount }),
          body: input(row.body, body, flags),
          query: input(row.query, query, flags),
          id: isNamed ? flags.text("id") : "",
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
        const message = withOptions(error.message, [...body, ...query]);
        throw reworded(error, { message, param: error.param });
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
