/**
 * Brings the functions and triggers of a database in line with their files, after the migrations.
 * The database keeps a row for each set that was applied, so that only what differs is replaced, and
 * a release that is older than the one before it is known.
 */
import type pg from "pg";
import { isAbsentObject, isOtherSignature } from "./database-errors";
import { type FunctionFile, type FunctionSet, setOf } from "./function-files";
import { isNewer } from "./release";
import { retiredFunctions } from "./retired-functions";

type Queries = Pick<pg.ClientBase, "query">;

/** `old`: a newer release was here, or the database had these functions before those that it has. */
type FunctionState = "none" | "other" | "old" | "same";

/** What of a set and its release is newer than this one: an unknown function, or the release itself. */
function isOfNewer(
  last: FunctionSet,
  of: string | null,
  set: FunctionSet,
  release: string,
): boolean {
  const isKnown = (name: string) => set[name] !== undefined || retiredFunctions.includes(name);
  return !Object.keys(last).every(isKnown) || isNewer(of ?? "", release);
}

/** As any role that may read the tables. */
export async function stateOfFunctions(
  client: Queries,
  files: readonly FunctionFile[],
  release: string,
): Promise<FunctionState> {
  const found = await client.query("select from pg_class where oid = to_regclass('function_set')");
  if (found.rowCount === 0) return "none";
  const set = setOf(files);
  const { rows } = await client.query<{
    functions: FunctionSet;
    release: string | null;
    isLast: boolean;
    isPast: boolean;
  }>(
    // Earlier states of this table have no column `release`.
    `select functions, to_jsonb(f)->>'release' as release, functions = $1::jsonb as "isLast",
       exists (select from function_set e where e.functions = $1::jsonb) as "isPast"
     from function_set f order by id desc limit 1`,
    [JSON.stringify(set)],
  );
  const [last] = rows;
  if (last === undefined) return "none";
  if (last.isLast) return "same";
  return last.isPast || isOfNewer(last.functions, last.release, set, release) ? "old" : "other";
}

const functionsNamed = `
select proname as name, oid::regprocedure::text as text, oid || ' ' || xmin as version from pg_proc
 where proname = any($1) and pronamespace = 'public'::regnamespace and pg_has_role(proowner, 'usage')`;
/** Partitions get theirs by `ledger_guard_partition`, and from the table that they are of. */
const triggersOf = `
select proname as name, format('%I on %s', tgname, tgrelid::regclass) as text, t.oid || ' ' || t.xmin as version
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
 where proname = any($1) and pronamespace = 'public'::regnamespace and pg_has_role(proowner, 'usage')
   and not tgisinternal and not c.relispartition`;

interface Part {
  /** Of the function. */
  readonly name: string;
  readonly text: string;
  /** Another one after it was replaced. */
  readonly version: string;
}

const read = async (client: Queries, query: string, names: readonly string[]) =>
  (await client.query<Part>(query, [names])).rows;

/** What of `before` is still there, and as it was. */
async function untouched(
  client: Queries,
  query: string,
  before: readonly Part[],
): Promise<readonly Part[]> {
  if (before.length === 0) return [];
  const names = before.map(({ name }) => name);
  const versions = new Set((await read(client, query, names)).map(({ version }) => version));
  return before.filter(({ version }) => versions.has(version));
}

async function dropFunctions(client: Queries, functions: readonly Part[]): Promise<void> {
  for (const { text } of functions) await client.query(`drop routine ${text}`);
}

async function dropTriggers(client: Queries, triggers: readonly Part[]): Promise<void> {
  for (const { text } of triggers) await client.query(`drop trigger ${text}`);
}

/** Creates a function, in place of `before`, which is dropped where it answers something else. */
async function define(
  client: Queries,
  { definition }: FunctionFile,
  before: readonly Part[],
): Promise<void> {
  if (before.length > 0) await client.query("savepoint definition");
  try {
    await client.query(definition);
  } catch (error) {
    if (before.length === 0 || !isOtherSignature(error)) throw error;
    await client.query("rollback to savepoint definition");
    await dropFunctions(client, before);
    await client.query(definition);
  }
}

async function inFile(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(
      `The function ${name} failed: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
}

async function lastSet(client: Queries): Promise<FunctionSet> {
  await client.query(`create table if not exists function_set (
    id integer generated always as identity primary key,
    applied_at timestamptz not null default now(),
    functions jsonb not null)`);
  await client.query("alter table function_set add column if not exists release text");
  const { rows } = await client.query<{ functions: FunctionSet }>(
    "select functions from function_set order by id desc limit 1",
  );
  return rows[0]?.functions ?? {};
}

/** In a transaction of the role that owns the tables. All functions come first: triggers call them. */
export async function applyFunctions(
  client: Queries,
  files: readonly FunctionFile[],
  release: string,
): Promise<void> {
  const last = await lastSet(client);
  const set = setOf(files);
  // They may name each other in any order.
  await client.query("set local check_function_bodies = off");
  await client.query("set local lock_timeout = '1s'");
  const changed = (part: 0 | 1) =>
    files.filter(({ name }) => last[name]?.[part] !== set[name]?.[part]);
  const gone = Object.keys(last).filter((name) => set[name] === undefined);
  const namesOf = (some: readonly FunctionFile[]) => some.map(({ name }) => name);

  const functions = await read(client, functionsNamed, [...namesOf(changed(0)), ...gone]);
  for (const file of changed(0)) {
    const before = functions.filter(({ name }) => name === file.name);
    await inFile(file.name, () => define(client, file, before));
  }
  const triggers = await read(client, triggersOf, [...namesOf(changed(1)), ...gone]);
  for (const file of changed(1))
    if (file.triggers !== "") await inFile(file.name, () => client.query(file.triggers));
  await dropTriggers(client, await untouched(client, triggersOf, triggers));
  await dropFunctions(client, await untouched(client, functionsNamed, functions));
  await client.query("insert into function_set (functions, release) values ($1, $2)", [
    JSON.stringify(set),
    release,
  ]);
}

/**
 * For rows of an older backup, in a transaction: the functions as far as their arguments are known,
 * without triggers. Nothing is noted: `applyFunctions` follows.
 */
export async function defineKnown(client: Queries, files: readonly FunctionFile[]): Promise<void> {
  await client.query("set local check_function_bodies = off");
  for (const { definition } of files) {
    await client.query("savepoint known");
    await client.query(definition).catch(async (error: unknown) => {
      if (!isAbsentObject(error)) throw error;
      await client.query("rollback to savepoint known");
    });
  }
}
