/** Writes generated rows as a PostgreSQL database, a SQLite file or a dump of MySQL. */
import { closeSync, openSync, writeSync } from "node:fs";
import sqlite from "node-sqlite3-wasm";
import type pg from "pg";
import type { GeneratedSource, GeneratedTable, Row, Value } from "./generated-source";

const types = {
  postgres: {
    id: "bigserial primary key",
    int: "bigint",
    text: "text",
    bool: "boolean",
    time: "timestamptz",
    json: "json",
  },
  sqlite: {
    id: "integer primary key",
    int: "integer",
    text: "text",
    bool: "numeric",
    time: "datetime",
    json: "json",
  },
  mysql: {
    id: "bigint NOT NULL",
    int: "bigint",
    text: "longtext",
    bool: "tinyint(1)",
    time: "datetime(3)",
    json: "json",
  },
} as const;

const ROWS_PER_STATEMENT = 1000;

function* batches(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < ROWS_PER_STATEMENT) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const namesOf = ({ columns }: GeneratedTable) => Object.keys(columns);

export async function writePostgres(client: pg.Client, source: GeneratedSource): Promise<void> {
  for (const [name, table] of Object.entries(source)) {
    const columns = Object.entries(table.columns);
    const list = columns.map(([column, type]) => `"${column}" ${types.postgres[type]}`).join(", ");
    await client.query(`create table ${name} (${list})`);
    for (const rows of batches(table.rows()))
      await client.query(
        `insert into ${name} select * from json_populate_recordset(null::${name}, $1)`,
        [JSON.stringify(rows)],
      );
  }
}

export function writeSqlite(file: string, source: GeneratedSource): void {
  const database = new sqlite.Database(file);
  for (const [name, table] of Object.entries(source)) {
    const columns = Object.entries(table.columns);
    const list = columns.map(([column, type]) => `\`${column}\` ${types.sqlite[type]}`).join(", ");
    database.exec(`create table \`${name}\` (${list})`);
    database.exec("begin");
    const statement = database.prepare(
      `insert into \`${name}\` values (${columns.map(() => "?").join(", ")})`,
    );
    for (const row of table.rows())
      statement.run(
        columns.map(([column, type]) => {
          const value = row[column] ?? null;
          // Its product writes bytes there.
          return type === "json" && typeof value === "string" ? Buffer.from(value) : value;
        }),
      );
    statement.finalize();
    database.exec("commit");
  }
  database.close();
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  "\n": "\\n",
  "\r": "\\r",
};

function literal(value: Value | undefined): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number") return String(value);
  return `'${value.replace(/[\\'\n\r]/g, (sign) => escapes[sign] ?? sign)}'`;
}

export function writeDump(file: string, source: GeneratedSource): void {
  const handle = openSync(file, "w");
  const line = (text: string) => writeSync(handle, `${text}\n`);
  line("-- MySQL dump 10.13  Distrib 8.0.36\n/*!40101 SET NAMES utf8mb4 */;");
  for (const [name, table] of Object.entries(source)) {
    line(`DROP TABLE IF EXISTS \`${name}\`;\nCREATE TABLE \`${name}\` (`);
    for (const [column, type] of Object.entries(table.columns))
      line(`  \`${column}\` ${types.mysql[type]},`);
    line("  KEY `x` (`y`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n");
    line(`LOCK TABLES \`${name}\` WRITE;`);
    for (const rows of batches(table.rows())) {
      const values = rows.map(
        (row) =>
          `(${namesOf(table)
            .map((column) => literal(row[column]))
            .join(",")})`,
      );
      line(`INSERT INTO \`${name}\` VALUES ${values.join(",")};`);
    }
    line("UNLOCK TABLES;");
  }
  closeSync(handle);
}
