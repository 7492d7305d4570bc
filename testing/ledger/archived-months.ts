/** A history of eight months, of which those that are old enough are archived but for the last one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { archiveMonth } from "@/lib/archive/archive-month";
import { archivedFiles } from "@/lib/archive/archived-files";
import { type Month, monthsToArchive } from "@/lib/ledger/archive-book";
import { auditSealed } from "@/lib/ledger/audit-sealed";
import { sealLedger } from "@/lib/ledger/seal";
import type { BlobStore } from "@/lib/media/blob-store";
import { openFolderStore } from "@/lib/media/folder-store";
import { createTestDatabase } from "../db/test-database";
import { daysSinceMonth, giveMonthsPartitions } from "./own-partitions";
import { seedHistory } from "./sealed-history";
import { connect } from "./test-ledger";

export interface ArchivedMonths {
  readonly url: string;
  /** Two connections of the role that owns the tables, and one of the product's role. */
  readonly owner: pg.Client;
  readonly other: pg.Client;
  readonly product: pg.Client;
  readonly blobs: BlobStore;
  readonly folder: string;
  /** The first one shares a partition; each of the others has one of its own. */
  month(place: number): Month;
  readonly count: number;
  /** The rows of a month in both tables. */
  rowsOf(month: Month): Promise<number>;
  partitions(): Promise<string[]>;
  /** What a full audit finds wrong, and how much it read. */
  audit(client?: pg.Client): Promise<{ broken: string[]; entries: number; accounts: number }>;
  /** The sums of all accounts, as the ledger has them. */
  wallets(): Promise<{ account_id: string }[]>;
  close(): Promise<void>;
}

async function connectAll(url: string) {
  const product = new pg.Client({ connectionString: url });
  product.on("error", () => {});
  await product.connect();
  return { owner: await connect(url), other: await connect(url), product };
}

export async function openArchivedMonths({ requests = 700 } = {}): Promise<ArchivedMonths> {
  const url = await createTestDatabase();
  const { owner, other, product } = await connectAll(url);
  const folder = mkdtempSync(join(tmpdir(), "relay-archived-"));
  const blobs = await openFolderStore(folder);
  await giveMonthsPartitions(owner, 7);
  await seedHistory(owner, url, { requests, days: daysSinceMonth(8) });
  // Pieces that begin in one month and end in the next.
  await sealLedger(owner, { piece: 70 });
  const months = await monthsToArchive(owner);
  for (const month of months.slice(0, -1))
    await archiveMonth(product, blobs, month, { requestsOfPart: 60 });
  return {
    url,
    owner,
    other,
    product,
    blobs,
    folder,
    count: months.length,
    month(place) {
      const month = months[place];
      if (month === undefined) throw new Error(`there is no month ${place}`);
      return month;
    },
    async rowsOf({ starts, below }) {
      const { rows } = await owner.query<{ rows: number }>(
        `select (select count(*) from operation where id >= $1 and id < $2)::int
              + (select count(*) from settlement where operation_id >= $1 and operation_id < $2)::int as rows`,
        [starts, below],
      );
      return rows[0]?.rows ?? 0;
    },
    async partitions() {
      const { rows } = await owner.query<{ name: string }>(
        "select p.name from unnest(array['operation', 'settlement']) t, ledger_partitions(t) p order by 1",
      );
      return rows.map(({ name }) => name);
    },
    async audit(client = owner) {
      const report = await auditSealed(client, { isFull: true, files: archivedFiles(blobs) });
      const broken = report.checks.filter(({ ok }) => !ok);
      const { entries, accounts } = report;
      return { broken: broken.map(({ name, detail }) => `${name}: ${detail}`), entries, accounts };
    },
    async wallets() {
      const { rows } = await owner.query<{ account_id: string }>(
        "select * from wallet order by account_id",
      );
      return rows;
    },
    async close() {
      await Promise.all([owner, other, product].map((client) => client.end()));
      rmSync(folder, { recursive: true });
    },
  };
}

/** Runs SQL around the rules, as someone who has the database could. */
export async function forge(client: pg.ClientBase, sql: string): Promise<void> {
  await client.query(`begin; set local session_replication_role = replica; ${sql}; commit`);
}
