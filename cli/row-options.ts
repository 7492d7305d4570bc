/** The options of a command that a row makes, from the row's schemas. */
import { safeParse, z } from "zod";
import { findChannel } from "@/lib/channels/stored-channels";
import type { PageEndpoint } from "@/lib/contract/page-endpoint";
import { fieldsOf, type WireField } from "@/lib/contract/wire";
import { wireForms } from "@/lib/contract/wire-forms";
import { isRelayError } from "@/lib/failures/relay-error";
import { parseInput } from "@/lib/http/serve-page";
import { findGroup } from "@/lib/queries/groups";
import { findPlan } from "@/lib/queries/plans";
import { findAccount, findMember, ACCOUNT as SHOWN_ACCOUNT } from "./account-option";
import { type Flags, UsageError } from "./command";
import { readJsonFile } from "./json-file";
import type { OpenInstallation } from "./open";

type Schema = z.core.$ZodType;
type Find = (installation: OpenInstallation, named: string) => Promise<{ readonly id: string }>;

/** What may be named otherwise than by its id. */
const things: Readonly<Record<string, Find>> = {
  account: findAccount,
  channel: ({ database }, id) => findChannel(database, id),
  member: findMember,
  plan: findPlan,
  group: findGroup,
};

interface Option {
  readonly name: string;
  readonly field: WireField;
  /** Finds the id that the row takes; null where the option's value is the row's. */
  readonly find: Find | null;
}

function optionOf(field: WireField): Option {
  const thing = field.name.replace(/Id$/, "");
  const find = (/Id$|^(account|group)$/.test(field.name) && things[thing]) || null;
  return { name: find ? thing : field.wire.replaceAll("_", "-"), field, find };
}

const optionsIn = (schema: z.ZodType | undefined): readonly Option[] =>
  schema instanceof z.ZodObject ? fieldsOf(schema).map(optionOf) : [];

/** Without what lets it be absent or null. */
function bare(schema: Schema): Schema {
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapper || schema instanceof z.ZodDefault ? bare(schema.unwrap()) : schema;
}

const none: readonly [] = [];
const accepts = (schema: Schema, value: null | undefined | readonly []) =>
  safeParse(schema, value).success;

/** How help shows a value. */
function shownValue(schema: Schema): string {
  const form = wireForms.get(schema);
  if (form !== undefined) return form.kind === "moment" ? "ISO" : "N";
  if (schema instanceof z.ZodEnum) return schema.options.join("|");
  if (schema instanceof z.ZodBoolean) return "yes|no";
  if (schema instanceof z.ZodNumber) return "N";
  if (schema instanceof z.ZodArray) return `${shownValue(bare(schema.element))},…`;
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape).join("=").toUpperCase();
  return "T";
}

function shownOption({ name, field }: Option, isChange: boolean): string {
  const schema = bare(field.schema);
  const hasNone = accepts(field.schema, null) || accepts(field.schema, none);
  const shown = `--${name} ${shownValue(schema)}${hasNone ? "|none" : ""}`;
  const isOptional = accepts(field.schema, undefined) || (!isChange && accepts(field.schema, null));
  return isOptional ? `[${shown}]` : shown;
}

/** A value of a list; of two fields `A=B`. */
function elementOf(schema: Schema, name: string, text: string): unknown {
  if (!(schema instanceof z.ZodObject)) return text;
  const [first = "", second = ""] = Object.keys(schema.shape);
  const at = text.lastIndexOf("=");
  if (at < 1) throw new UsageError(`--${name} ${text} is not ${shownValue(schema)}`);
  return { [first]: text.slice(0, at), [second]: text.slice(at + 1) };
}

/** What is not given: nothing where something is made. A change says what it removes. */
function absent({ name, field: { schema } }: Option, isChange: boolean): null | undefined {
  if (accepts(schema, undefined)) return undefined;
  if (!isChange && accepts(schema, null)) return null;
  throw new UsageError(`--${name} is missing`);
}

/** The value of an option, as the page's schema takes it. */
function given(flags: Flags, option: Option, isChange: boolean): unknown {
  const { name, field } = option;
  const text = flags.optional(name);
  const schema = bare(field.schema);
  if (text === null) return absent(option, isChange);
  if (schema instanceof z.ZodArray) {
    const element = bare(schema.element);
    return text === "none"
      ? []
      : text.split(",").map((each) => elementOf(element, name, each.trim()));
  }
  if (text === "none" && accepts(field.schema, null)) return null;
  if (wireForms.get(schema)?.kind === "moment") return flags.moment(name)?.toISOString();
  if (schema instanceof z.ZodNumber) return flags.whole(name);
  if (!(schema instanceof z.ZodBoolean)) return text;
  if (text === "yes" || text === "no") return text === "yes";
  throw new UsageError(`--${name} must be yes or no`);
}

/** The thing whose id the path has, such as the account of `/api/admin/accounts/{id}/plan`. */
function pathOption(path: string): { name: string; find: Find | null } | null {
  const [, collection = ""] = /\/([a-z-]+)\/\{id\}/.exec(path) ?? [];
  if (collection === "") return null;
  const thing = collection.replace(/s$/, "");
  const find = things[thing] ?? null;
  return { name: find ? thing : "id", find };
}

const ACCOUNT = "account";
const shownThing = (name: string) =>
  name === ACCOUNT ? SHOWN_ACCOUNT : `--${name} ${name === "id" ? "ID" : "NAME|ID"}`;

/** What a row takes, as options. */
export class RowOptions {
  readonly #body: readonly Option[];
  readonly #query: readonly Option[];
  /** What the path names, and the account of a row that a person calls. */
  readonly #named: readonly string[];

  /** Whether the body is a file, because its fields depend on each other. The command checks it. */
  readonly #isFile: boolean;

  constructor(readonly row: PageEndpoint) {
    this.#isFile = row.body !== undefined && !(row.body instanceof z.ZodObject);
    this.#body = optionsIn(row.body);
    this.#query = optionsIn(row.query);
    const inPath = pathOption(row.path);
    this.#named = [...(inPath ? [inPath.name] : []), ...(row.who === "user" ? [ACCOUNT] : [])];
  }

  get #isChange(): boolean {
    return this.row.path.includes("{id}");
  }

  get #all(): readonly Option[] {
    return [...this.#body, ...this.#query];
  }

  get usage(): string {
    const [account, others] = [true, false].map((isAccount) =>
      this.#named.filter((name) => (name === ACCOUNT) === isAccount).map(shownThing),
    );
    return [
      ...(others ?? []),
      ...(this.#isFile ? ["--from FILE.json"] : []),
      ...this.#all.map((option) => shownOption(option, this.#isChange)),
      ...(account ?? []),
    ].join(" ");
  }

  get unshown(): Record<string, "string"> {
    return this.#emailed === undefined ? {} : { email: "string" };
  }

  /** The account of a row that a person calls; empty for an operator's. */
  async account(installation: OpenInstallation, flags: Flags): Promise<string> {
    if (this.row.who !== "user") return "";
    return (await findAccount(installation, this.#thing(flags, ACCOUNT))).id;
  }

  /** The member or the account, which `--email` names too, as it does in other commands. */
  get #emailed(): string | undefined {
    if (this.#all.some(({ name }) => name === "email")) return undefined;
    return ["member", ACCOUNT].find((name) => this.#named.includes(name));
  }

  #thing(flags: Flags, name: string): string {
    const isByEmail = name === this.#emailed && flags.optional(name) === null;
    return (isByEmail ? flags.optional("email") : null) ?? flags.text(name);
  }

  /** The value of the path's `{id}`. */
  async id(installation: OpenInstallation, flags: Flags): Promise<string> {
    const inPath = pathOption(this.row.path);
    if (inPath === null) return "";
    const named = this.#thing(flags, inPath.name);
    return inPath.find === null ? named : (await inPath.find(installation, named)).id;
  }

  /** Throws `UsageError` for what the row's schema refuses. */
  async bodyOf(installation: OpenInstallation, flags: Flags): Promise<unknown> {
    if (this.#isFile) return readJsonFile(flags.text("from"));
    return this.#input(this.row.body, this.#body, installation, flags);
  }

  queryOf(installation: OpenInstallation, flags: Flags): Promise<unknown> {
    return this.#input(this.row.query, this.#query, installation, flags);
  }

  async #input(
    schema: z.ZodType | undefined,
    options: readonly Option[],
    installation: OpenInstallation,
    flags: Flags,
  ): Promise<unknown> {
    if (schema === undefined) return undefined;
    const value: Record<string, unknown> = {};
    for (const option of options) {
      const taken = given(flags, option, this.#isChange);
      if (taken === undefined) continue;
      const isNamed = option.find !== null && typeof taken === "string";
      value[option.field.name] =
        isNamed && option.find ? (await option.find(installation, taken)).id : taken;
    }
    try {
      return parseInput(schema, value);
    } catch (error) {
      throw isRelayError(error) ? new UsageError(this.renamed(error.message)) : error;
    }
  }

  /** What was wrong, with the names that the options have. */
  renamed(message: string): string {
    return message.replace(/`(\w+)(?:\[\d+\](?:\.\w+)?)?`/g, (all, name: string) => {
      const option = this.#all.find(({ field }) => field.name === name);
      return option === undefined ? all : `--${option.name}`;
    });
  }
}
