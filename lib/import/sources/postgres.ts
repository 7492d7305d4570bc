import pg from "pg";
import { BATCH_ROWS, type Source, type SourceTable, tables } from "./source";

const quoted = (name: string) => `"${name}"`;

/** Reads a PostgreSQL database, in transactions that cannot write. */
export async function openPostgres(url: string): Promise<Source> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  // The next query rejects as well; without a listener a lost connection would end the process.
  client.on("error", () => {});
  await client.connect();
  await client.query("set session characteristics as transaction read only");

  async function columnsOf(table: SourceTable): Promise<string[]> {
    const { rows } = await client.query<{ name: string }>(
      "select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped",
      [table],
    );
    const there = new Set(rows.map(({ name }) => name));
    return tables[table].filter((name) => there.has(name));
  }

  async function* rowsOf(table: SourceTable, after = -1n) {
    const columns = (await columnsOf(table)).map(quoted).join(", ");
    if (table === "options") {
      yield (await client.query<Record<string, unknown>>(`select ${columns} from options`)).rows;
      return;
    }
    for (let last = after; ; ) {
      const { rows } = await client.query<Record<string, unknown>>(
        `select ${columns} from ${table} where id > $1 order by id limit ${BATCH_ROWS}`,
        [last],
      );
      if (rows.length === 0) return;
      last = BigInt(String(rows.at(-1)?.id));
      yield rows;
    }
  }

  return {
    has: async (table) => (await columnsOf(table)).length > 0,
    rows: rowsOf,
    close: () => client.end(),
  };
}
