import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { newFolder } from "@/testing/unit/new-folder";
import { guardLineage, type LostWrite, refusalOf } from "./lineage";
import { PrimaryClient } from "./primary-client";

const lost: LostWrite = { id: "one", account: "acct_1", what: "charge", amount: "5" };

test("a database that was restored under the name of the one before is refused where it lacks what was written", async () => {
  const url = await createTestDatabase();
  const owner = new PrimaryClient({ connectionString: ownerUrlOf(await createTestDatabase()) });
  await owner.connect();
  const folder = newFolder("lineage");
  let missing: LostWrite[] = [];
  const memory = { lost: async () => missing, changed: () => {} };
  const leave = guardLineage({ databaseUrl: url, folder, nodeId: "node_1", memory });
  onTestFinished(async () => {
    leave();
    await owner.end();
  });
  const connect = async () => {
    const client = new PrimaryClient({ connectionString: url });
    await client.connect().finally(() => client.end().catch(() => {}));
  };
  const name = new URL(url).pathname.slice(1);
  async function restore() {
    await owner.query(`create database "${name}_older" template "${name}"`);
    await owner.query(`drop database "${name}"`);
    await owner.query(`alter database "${name}_older" rename to "${name}"`);
  }
  await connect();
  await restore();
  missing = [lost];
  await expect(connect()).rejects.toThrow("it lacks 1 of the last writes of this process");
  expect(refusalOf(url)).toMatchObject({ lostCount: 1, lost: [lost] });
  // What is not missed is no reason.
  missing = [];
  await connect();
  expect(refusalOf(url)).toBeNull();
});
