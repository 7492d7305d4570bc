/**
 * Thousands of random schedules: the database answers every hold, end, credit, refund and limit as a
 * reference in plain memory does, and has the same rows afterwards.
 */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { playSchedule, type Stage } from "@/testing/ledger/model/schedule";
import { type LedgerDatabase, openLedgerDatabase, seedPrice } from "@/testing/ledger/test-ledger";
import { auditLedger } from "../audit/audit";
import { countAll } from "../usage/usage-counter";
import { sessionSettings } from "./writer-connection";

let database: LedgerDatabase;
let writer: pg.Client;
let stage: Stage;

beforeAll(async () => {
  database = await openLedgerDatabase();
  writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query(sessionSettings);
  const { client: owner, ledger } = database;
  stage = { owner, writer, ledger, priceVersionId: await seedPrice(owner) };
});
afterAll(async () => {
  await writer?.end();
  await database?.close();
});

const failing = async () => (await auditLedger(database.client)).checks.filter(({ ok }) => !ok);

test(
  "any schedule is answered as the reference answers it, and the audit is clean",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.noShrink(fc.nat()), (seed) => playSchedule(stage, seed)),
      { numRuns: extent(75, 3000) },
    );
    expect(await failing()).toEqual([]);
    await countAll(database.client);
    expect(await failing()).toEqual([]);
  },
  extent(300_000, 1_800_000),
);
