/** A large relay moves within ten minutes on two cores, exactly. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { isWhole } from "@/testing/extent/extent";
import { expectedOf } from "@/testing/import/expected";
import { generateSource } from "@/testing/import/generated-source";
import { importInto } from "@/testing/import/import-into";
import { type SourceKind, writeSource } from "@/testing/import/import-stage";
import { readMovedState } from "@/testing/import/moved-state";
import { connect } from "@/testing/ledger/test-ledger";

const MINUTES_MAX = 10;
const size = { users: 10_000, keys: 50_000, logs: 1_000_000 };

test.skipIf(!isWhole).each<SourceKind>(["postgres", "sqlite", "dump"])(
  "10,000 users, 50,000 keys and 1,000,000 lines of log in %s move within ten minutes",
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), "relay-import-"));
    const url = await createTestDatabase();
    const client = await connect(url);
    try {
      const place = await writeSource(folder, "new-api", kind, size);
      const startedAt = performance.now();
      const report = await importInto(url, { product: "new-api", place });
      const minutes = (performance.now() - startedAt) / 60_000;
      console.log(`${kind}: moved in ${(minutes * 60).toFixed(0)} s`);
      expect(minutes).toBeLessThan(MINUTES_MAX);
      const expected = expectedOf(generateSource("new-api", size));
      expect(report.counts.users.points).toBe(expected.points);
      expect(report.counts.logs.quota).toBe(expected.logged);
      const state = await readMovedState(client);
      expect(state.balances).toEqual(expected.state.balances);
      expect(state.keys).toEqual(expected.state.keys);
      expect(state.usage).toEqual(expected.state.usage);
    } finally {
      await client.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  30 * 60_000,
);
