/**
 * Which history of the database this process writes to. A new primary that lacks what was written
 * before, or an old one that takes writes again, is refused until an operator accepts it.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { errorCode } from "../failures/relay-error";
import { log } from "../process/log";
import { isStatementRefused, RefusedServer } from "./database-errors";

type Queries = Pick<pg.ClientBase, "query">;

/** A server's history: its cluster, the branch of it that begins at a promotion, and how far it is. */
export interface Lineage {
  readonly system: string;
  readonly timeline: number;
  /** The database's number there: another one where a backup was restored under its name. Null: unknown. */
  readonly database: string | null;
  /** The position in the log up to which it is on disk. */
  readonly at: bigint;
}

/** What this process wrote and a server lacks. */
export interface LostWrite {
  /** The id of a request, or the reference of a credit. */
  readonly id: string;
  readonly account: string;
  readonly what: "hold" | "charge" | "release" | "credit";
  /** Micropoints, as text. */
  readonly amount: string;
}

interface WriterMemory {
  /** What of the last minutes' writes the server lacks. */
  lost(client: Queries): Promise<readonly LostWrite[]>;
  /** The process goes on with another history, which may lack what `lost` named. */
  changed(): void;
}

/** Why a process refuses a server, as it tells the command line. */
export interface Refusal {
  readonly place: string;
  readonly subject: string;
  readonly reason: string;
  readonly lost: readonly LostWrite[];
  readonly lostCount: number;
}

interface Guard {
  known: Lineage | null;
  refusal: Refusal | null;
  turn: Promise<unknown>;
  readonly folder: string;
  readonly nodeId: string;
  readonly memories: Set<WriterMemory>;
}

declare global {
  // Next bundles several copies of this module; all read the same.
  var relayLineages: Map<string, Guard> | undefined;
}

globalThis.relayLineages ??= new Map();
const guards = globalThis.relayLineages;

/** An acceptance counts for as long: processes that were away meanwhile find it too. */
const ACCEPTED_HOURS = 1;
const LISTED_MAX = 1000;
/** Of every process that wrote here. */
const KNOWN = "known.json";

export const subjectOf = ({ system, timeline }: Lineage): string => `${system}/${timeline}`;

/** Codes of a server that does not tell, as some managed ones: no such function, no right to it. */
const isUntold = (error: unknown) => /^(42|0A|55)/.test(String(errorCode(error) ?? ""));

/** Null where the server does not tell. */
export async function readLineage(client: Queries): Promise<Lineage | null> {
  try {
    const { rows } = await client.query<Omit<Lineage, "at"> & { at: string }>(
      `select system_identifier::text as system, (select oid::text from pg_database where datname = current_database()) as database, (pg_current_wal_flush_lsn() - '0/0')::text as at,
         ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int as timeline
       from pg_control_system()`,
    );
    const [row] = rows;
    return row === undefined ? null : { ...row, at: BigInt(row.at) };
  } catch (error) {
    if (isUntold(error)) return null;
    throw error;
  }
}

async function isAccepted(client: Queries, lineage: Lineage): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from operator_action
      where action = 'database.accept' and subject = $1 and at > now() - make_interval(hours => $2) limit 1`,
    [subjectOf(lineage), ACCEPTED_HOURS],
  );
  return rowCount === 1;
}

const isSame = (known: Lineage, seen: Lineage): boolean =>
  known.system === seen.system &&
  known.timeline === seen.timeline &&
  (known.database ?? seen.database) === seen.database;

const isContinued = (known: Lineage | null, seen: Lineage): boolean =>
  known === null || (isSame(known, seen) && known.at <= seen.at);

/** What is wrong with a server whose history does not just continue; an empty text: nothing. */
function faultOf(known: Lineage, seen: Lineage, lost: readonly LostWrite[]): string {
  if (known.system === seen.system && seen.timeline < known.timeline)
    return `it is on timeline ${seen.timeline}, and this installation wrote to timeline ${known.timeline}: an earlier primary takes writes again`;
  if (isSame(known, seen)) return "its log ends before what this installation wrote to it";
  return lost.length === 0 ? "" : `it lacks ${lost.length} of the last writes of this process`;
}

/** What a process that is gone found in the same history, so that a restart does not accept it. */
const toldOf = ({ folder, nodeId }: Guard, seen: Lineage): string =>
  readRefusals(folder).find(({ node, subject }) => node !== nodeId && subject === subjectOf(seen))
    ?.reason ?? "";

const toldFile = ({ folder, nodeId }: Guard) => join(folder, `${nodeId}.json`);

/** A file appears complete or not at all. */
function write(file: string, content: object): void {
  writeFileSync(`${file}.${process.pid}.part`, JSON.stringify(content), { mode: 0o600 });
  renameSync(`${file}.${process.pid}.part`, file);
}

function refuse(guard: Guard, refusal: Refusal): never {
  if (guard.refusal?.reason !== refusal.reason) {
    log.error(
      { alarm: "database", ...refusal, lost: refusal.lost.slice(0, 20) },
      "refuses a database",
    );
    write(toldFile(guard), refusal);
  }
  guard.refusal = refusal;
  throw new RefusedServer(
    `the server at ${refusal.place} is refused: ${refusal.reason}. \`relay database accept\` lists what is missing`,
  );
}

function goOn(guard: Guard, seen: Lineage): void {
  const isNew = guard.known === null || !isSame(guard.known, seen);
  guard.known = seen;
  guard.refusal = null;
  if (!isNew) return;
  const { system, timeline, database } = seen;
  write(join(guard.folder, KNOWN), { system, timeline, database });
  for (const { node } of readRefusals(guard.folder))
    rmSync(join(guard.folder, `${node}.json`), { force: true });
}

/** Returns whether the process goes on with another history than before. */
async function judge(guard: Guard, client: Queries, place: string): Promise<boolean> {
  const seen = await readLineage(client);
  if (seen === null) return false;
  const { known } = guard;
  if (known === null || isContinued(known, seen)) {
    goOn(guard, seen);
    return false;
  }
  const lost: LostWrite[] = [];
  let reason = "";
  try {
    for (const memory of guard.memories) lost.push(...(await memory.lost(client)));
  } catch (error) {
    if (!isStatementRefused(error)) throw error;
    reason = `it cannot be compared with what this process wrote: ${error}`;
  }
  reason ||= faultOf(known, seen, lost) || toldOf(guard, seen);
  if (reason !== "" && !(await isAccepted(client, seen)))
    refuse(guard, {
      place,
      subject: subjectOf(seen),
      reason,
      lost: lost.slice(0, LISTED_MAX),
      lostCount: lost.length,
    });
  log.warn(
    { place, subject: subjectOf(seen), lost: lost.length },
    "writes to another history of the database",
  );
  goOn(guard, seen);
  for (const memory of guard.memories) memory.changed();
  return true;
}

/**
 * Asks whether this process may write through a new connection; one is judged at a time. Throws
 * `RefusedServer`. True: connections to an earlier server are to be dropped.
 */
export function admit(databaseUrl: string, client: Queries, place: string): Promise<boolean> {
  const guard = guards.get(databaseUrl);
  if (guard === undefined) return Promise.resolve(false);
  const judged = guard.turn.then(() => judge(guard, client, place));
  guard.turn = judged.catch(() => {});
  return judged;
}

/** The last refusal of this process, if nothing was accepted since. */
export const refusalOf = (databaseUrl: string): Refusal | null =>
  guards.get(databaseUrl)?.refusal ?? null;

function readKnown(folder: string): Lineage | null {
  try {
    const known: Lineage = JSON.parse(readFileSync(join(folder, KNOWN), "utf8"));
    return { ...known, database: known.database ?? null, at: 0n };
  } catch {
    return null;
  }
}

export interface LineageOptions {
  readonly databaseUrl: string;
  /** Of the processes of this machine. */
  readonly folder: string;
  readonly nodeId: string;
  readonly memory: WriterMemory;
}

/** From now on each connection to `databaseUrl` is judged. Returns the function that ends it. */
export function guardLineage({ databaseUrl, folder, nodeId, memory }: LineageOptions): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const guard: Guard = guards.get(databaseUrl) ?? {
    known: readKnown(folder),
    refusal: null,
    turn: Promise.resolve(),
    folder,
    nodeId,
    memories: new Set(),
  };
  guards.set(databaseUrl, guard);
  guard.memories.add(memory);
  return () => {
    guard.memories.delete(memory);
    if (guard.memories.size === 0) guards.delete(databaseUrl);
  };
}

/** What the processes of this machine refuse now. */
export function readRefusals(folder: string): (Refusal & { readonly node: string })[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== KNOWN);
  return names.map((name) => {
    const refusal: Refusal = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return { node: name.slice(0, -".json".length), ...refusal };
  });
}
