/** A history of eight months, of which those that are old enough are archived but for the last one. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { archiveMonth } from "@/lib/archive/archive-month";
import { archivedFiles } from "@/lib/archive/archived-files";
import {
  archivedMonths,
  type Month,
  monthOf,
  monthsToArchive,
} from "@/lib/ledger/archive/archive-register";
import { auditSealed } from "@/lib/ledger/audit/audit-sealed";
import { sealLedger } from "@/lib/ledger/audit/seal";
import type { BlobStore } from "@/lib/media/blob-store";
import { openFolderStore } from "@/lib/media/folder-store";
import { createPreparedDatabase } from "../db/test-database";
import { daysSinceMonth, giveMonthsPartitions } from "./own-partitions";
import { seedHistory } from "./sealed-history";
import { connect } from "./test-ledger";

interface Audited {
  readonly broken: string[];
  readonly entries: number;
  readonly accounts: number;
}

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
  audit(client?: pg.Client): Promise<Audited>;
  /** What it said before any month was dropped: that nothing is broken. */
  readonly untouched: Audited;
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

async function fullAudit(client: pg.Client, blobs: BlobStore): Promise<Audited> {
  const report = await auditSealed(client, { isFull: true, files: archivedFiles(blobs) });
  const broken = report.checks.filter(({ ok }) => !ok);
  const { entries, accounts } = report;
  return { broken: broken.map(({ name, detail }) => `${name}: ${detail}`), entries, accounts };
}

/** Where the files of the months are from which each scene gets its own, and the audit of all of them. */
const preparedFolder = () => join(inject("runFolder"), "archived-months");
const auditFile = () => `${preparedFolder()}.json`;

async function prepareMonths(url: string): Promise<void> {
  const { owner, other, product } = await connectAll(url);
  try {
    rmSync(preparedFolder(), { recursive: true, force: true });
    const blobs = await openFolderStore(preparedFolder());
    await giveMonthsPartitions(owner, 7);
    await seedHistory(owner, url, { requests: 700, days: daysSinceMonth(8) });
    // Pieces that begin in one month and end in the next.
    await sealLedger(owner, { piece: 70 });
    for (const month of (await monthsToArchive(owner)).slice(0, -1))
      await archiveMonth(product, blobs, month, { requestsOfPart: 60 });
    const untouched = await fullAudit(owner, blobs);
    if (untouched.broken.length > 0) throw new Error(untouched.broken.join("; "));
    writeFileSync(auditFile(), JSON.stringify(untouched));
  } finally {
    await Promise.all([owner, other, product].map((client) => client.end()));
  }
}

/** Of its own: a copy of what is made once in a test run. */
export async function openArchivedMonths(): Promise<ArchivedMonths> {
  const url = await createPreparedDatabase("archived_months", prepareMonths);
  const { owner, other, product } = await connectAll(url);
  const folder = mkdtempSync(join(tmpdir(), "relay-archived-"));
  cpSync(preparedFolder(), folder, { recursive: true });
  const blobs = await openFolderStore(folder);
  const archived = (await archivedMonths(owner)).map(({ month }) => monthOf(Date.parse(month)));
  const months = [...archived.reverse(), ...(await monthsToArchive(owner))];
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
        "select count(*)::int as rows from request where id >= $1 and id < $2",
        [starts, below],
      );
      return rows[0]?.rows ?? 0;
    },
    async partitions() {
      const { rows } = await owner.query<{ name: string }>(
        "select name from ledger_partitions() order by 1",
      );
      return rows.map(({ name }) => name);
    },
    audit: (client = owner) => fullAudit(client, blobs),
    untouched: JSON.parse(readFileSync(auditFile(), "utf8")) as Audited,
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
