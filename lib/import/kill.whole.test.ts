/** An import that is killed again and again loses nothing, and takes nothing twice. */
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { expectedOf } from "@/testing/import/expected";
import { generateSource, type Size } from "@/testing/import/generated-source";
import { writeSource } from "@/testing/import/import-stage";
import { readMovedState } from "@/testing/import/moved-state";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { connect } from "@/testing/ledger/test-ledger";
import { bundled } from "@/testing/stage/bundle";
import { newFolder } from "@/testing/unit/new-folder";

const folder = newFolder("import");
const script = await bundled("testing/import/kill-child.ts");

/** Runs the import, and kills it at its next commit after `mark`, which never arrives. */
function runUntil(proxy: DatabaseProxy, place: string, mark: RegExp | null) {
  const words = JSON.stringify({ databaseUrl: proxy.url, product: "new-api", place });
  const child = spawn(process.execPath, [script, words], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let isMarked = false;
  proxy.cutsRequest = (request) => {
    const sent = request.toString("latin1");
    isMarked ||= mark?.test(sent) === true;
    if (!isMarked || !/\bcommit\b/i.test(sent)) return false;
    child.kill("SIGKILL");
    return true;
  };
  return new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(signal ?? code)),
  );
}

/** What is written when it is killed, in the order of the import. */
const marks: readonly RegExp[] = [
  /insert into model \(/,
  /insert into "public"\."channel"/i,
  /insert into account_group \(/,
  /insert into account \(/,
  /insert into api_key \(/,
  /insert into voucher \(/,
  /insert into import_usage/,
];

test("killed before its commits and run again, it ends as a run that was left alone", async () => {
  const size: Size = { users: 2500, keys: 4000, logs: 120_000 };
  const place = await writeSource(folder, "new-api", "dump", size);
  const databaseUrl = await createTestDatabase();
  const proxy = await DatabaseProxy.start(databaseUrl);
  const client = await connect(databaseUrl);
  try {
    for (const mark of marks)
      expect(await runUntil(proxy, place, mark), String(mark)).toBe("SIGKILL");
    expect(await runUntil(proxy, place, null)).toBe(0);
    const source = generateSource("new-api", size);
    expect(await readMovedState(client)).toEqual(expectedOf(source).state);
    const { rows } = await client.query<{ kind: string }>(
      "select distinct detail ->> 'name' as kind from operator_action where action = 'import.run' order by 1",
    );
    expect(rows.map(({ kind }) => kind)).toEqual(["keys", "logs", "users", "vouchers"]);
  } finally {
    await client.end();
    await proxy.stop();
  }
}, 600_000);
