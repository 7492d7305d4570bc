import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSpool } from "@/lib/ledger/core/spool";
import { LINEAGE_FOLDER } from "@/lib/ledger/ledger";
import { readSettings } from "@/lib/settings/settings";
import { flagsOf } from "@/testing/cli/commands";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { databaseCommands } from "./database";
import { openInstallation } from "./open";

test("what the processes of this machine miss in a database is listed, and accepted only when asked for", async () => {
  const databaseUrl = await createTestDatabase();
  const dataFolder = newFolder("accept");
  const spoolFolder = join(dataFolder, "spool");
  openSpool(spoolFolder, "node_a").append(["{}", "{}"]);
  mkdirSync(join(spoolFolder, LINEAGE_FOLDER));
  const lost = [{ id: "an-id", account: "acct_a", what: "charge", amount: "1500000" }];
  const refusal = {
    place: "db:5432",
    subject: "1/2",
    reason: "it lacks 3 writes",
    lost,
    lostCount: 3,
  };
  writeFileSync(join(spoolFolder, LINEAGE_FOLDER, "node_a.json"), JSON.stringify(refusal));
  const settings = readSettings({
    DATABASE_URL: databaseUrl,
    DATABASE_OWNER_URL: ownerUrlOf(databaseUrl),
    RELAY_DATA_DIR: dataFolder,
  });
  const installation = await openInstallation(settings, process.env);
  const owner = await connect(databaseUrl);
  const accepted = async () =>
    (
      await owner.query(
        "select subject, detail from operator_action where action = 'database.accept'",
      )
    ).rows;
  try {
    const shown = await databaseCommands.accept.run(installation, flagsOf({}));
    expect(shown.isGood).toBe(false);
    for (const text of ["node_a refuses the server at db:5432: it lacks 3 writes.", "an-id", "1.5"])
      expect(shown.text).toContain(text);
    expect(shown.text).toMatch(/And 2 more\.\n2 ends of requests wait/);
    expect(await accepted()).toEqual([]);

    const { json, isGood } = await databaseCommands.accept.run(
      installation,
      flagsOf({ yes: true }),
    );
    expect(isGood).toBe(true);
    expect(await accepted()).toEqual([{ subject: json.accepted, detail: { count: 3 } }]);
    expect(json.accepted).toMatch(/^\d+\/1$/);
  } finally {
    await owner.end();
    await installation.close();
  }
});
