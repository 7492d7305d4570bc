/**
 * Lends what works on a database of its own, such as the connections of a process, to one user
 * after another of a worker: to empty a database costs a tenth of what it costs to make another
 * one, and connections that have worked are quick.
 */
import pg from "pg";
import type { Changes } from "@/lib/db/changes";
import { openPool } from "@/lib/db/pool";
import { createLastingDatabase, ownerUrlOf } from "./test-database";

export interface Lent<Part> {
  readonly part: Part;
  /** True: another process may still use its database, so it is closed and not lent again. */
  isSpoiled: boolean;
  /** Ends it, or leaves it to the next user. */
  giveBack(): Promise<unknown>;
}

interface Kept<Part> {
  readonly part: Part;
  empty(): Promise<unknown>;
}

const key = Symbol.for("relay.tests.kept");
const holder = globalThis as Record<symbol, Map<string, Kept<unknown>[]> | undefined>;
/** By what it is. Files that share a worker share them. */
const keptOf = holder[key] ?? new Map<string, Kept<unknown>[]>();
holder[key] = keptOf;

/** Tables that say which database it is. */
const lasting = new Set(["_prisma_migrations", "function_set", "node"]);

/** A function that gives a database the rows that it has now, and no others. Sequences go on. */
async function emptierOf(databaseUrl: string): Promise<() => Promise<unknown>> {
  const owner = openPool(ownerUrlOf(databaseUrl), 1);
  const jsonOf = async (table: string) => {
    const { rows } = await owner.query(`select json_agg(t)::text as all from "${table}" t`);
    return pg.escapeLiteral(rows[0]?.all ?? "[]");
  };
  const { rows: tables } = await owner.query<{ name: string; columns: string }>(`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0
      and not attisdropped and attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    group by 1 order by 1`);
  // The leases of the processes that stay are renewed meanwhile.
  const steps = [
    `delete from node where id not in
      (select id from json_populate_recordset(null::node, ${await jsonOf("node")}))`,
  ];
  for (const { name, columns } of tables.filter(({ name }) => !lasting.has(name))) {
    steps.push(`delete from "${name}"`);
    const rows = await jsonOf(name);
    if (rows !== "'[]'")
      steps.push(`insert into "${name}" (${columns}) overriding system value
        select ${columns} from json_populate_recordset(null::"${name}", ${rows})`);
  }
  const all = `begin; set local session_replication_role = replica; ${steps.join(";")}; commit`;
  return () => owner.query(all);
}

/** Those of one user: what it listens to ends when it closes them, and they go on. */
export function changesForOne(lasting: Changes): Changes {
  const ends = new Set<() => void>();
  return {
    subscribe(table, listener) {
      const end = lasting.subscribe(table, listener);
      ends.add(end);
      return end;
    },
    async close() {
      for (const end of ends) end();
    },
  };
}

/** `kind` says which parts are alike: `open` makes one on an empty database. */
export async function lend<Part extends { close(): Promise<unknown> }>(
  kind: string,
  open: (databaseUrl: string) => Promise<Part>,
): Promise<Lent<Part>> {
  const kept = (keptOf.get(kind) ?? []) as Kept<Part>[];
  keptOf.set(kind, kept);
  const make = async (): Promise<Kept<Part>> => {
    const url = await createLastingDatabase();
    return { part: await open(url), empty: await emptierOf(url) };
  };
  const { part, empty } = kept.pop() ?? (await make());
  const lent: Lent<Part> = {
    part,
    isSpoiled: false,
    async giveBack() {
      if (lent.isSpoiled) return part.close();
      await empty();
      kept.push({ part, empty });
    },
  };
  return lent;
}
