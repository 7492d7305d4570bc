/**
 * Thousands of random schedules: the database answers every hold, end, credit, refund and limit as a
 * reference in plain memory does, and has the same rows afterwards.
 */
import fc from "fast-check";
import pg from "pg";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { playSchedule } from "@/testing/ledger/model/schedule";
import { openLedgerDatabase, seedPrice } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { auditLedger } from "../audit/audit";
import { countAll } from "../usage/usage-counter";
import { sessionSettings } from "./writer-connection";

const database = await opened(openLedgerDatabase());
const writer = await opened(new pg.Client({ connectionString: database.url }));
await writer.connect();
await writer.query(sessionSettings);
const { client: owner, ledger } = database;
const stage = { owner, writer, ledger, priceVersionId: await seedPrice(owner) };

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
