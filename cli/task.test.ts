import pg from "pg";
import { expect, test } from "vitest";
import { newId } from "@/lib/crypto/ids";
import { fixedSecrets } from "@/lib/crypto/secrets";
import { connectDatabase } from "@/lib/db/client";
import { flagsOf } from "@/testing/cli/commands";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  seedAccount,
  settleOf,
  taskOf,
} from "@/testing/ledger/test-ledger";
import { nouns } from "./nouns";
import type { OpenInstallation } from "./open";
import { taskCommands } from "./task";

test("tasks are listed and filtered by status, and one is shown with its points and upstream task id", async () => {
  const url = await createTestDatabase();
  const ledger = await openTestLedger(url);
  const client = await connect(url);
  const pool = new pg.Pool({ connectionString: url });
  const database = connectDatabase(url);
  const secrets = () => fixedSecrets("");
  const installation = { pool, database, secrets } as unknown as OpenInstallation;
  const account = await seedAccount(client, ledger, 10_000_000n);
  const ids = [newId("task"), newId("task")];
  for (const [at, taskId] of ids.entries()) {
    const hold = holdOf(account, 2_000_000n, { family: "video" });
    const spec = { prompt: "a cat" };
    await ledger.openTask(hold, taskOf({ taskId, spec }));
    if (at === 0)
      await ledger.settleTask(settleOf(hold, 1_500_000n), {
        mediaId: "media_1",
        outputTokens: 3,
        facts: {},
      });
  }
  const verbs = await nouns.task?.();
  const run = async (verb: string, values: Record<string, string>) => {
    const command = verbs?.[verb];
    if (command === undefined || !("run" in command)) throw new Error(`no task ${verb}`);
    return command.run(installation, flagsOf(values));
  };
  const list = async (values: Record<string, string>) => (await run("list", values)).json.data;
  expect(await list({})).toHaveLength(2);
  expect(await list({ status: "succeeded" })).toMatchObject([
    { id: ids[0], status: "succeeded", charged_points: 1.5, error_code: null },
  ]);
  await expect(list({ status: "done" })).rejects.toThrow(/--status/);
  const show = (id: string) => taskCommands.show.runOnPool(pool, flagsOf({ id }));
  const { json, text } = await show(ids[1] as string);
  expect(json.task).toMatchObject({
    id: ids[1],
    status: "queued",
    held_points: 2,
    points: null,
    spec: { prompt: "a cat" },
    losses: [],
  });
  expect(text).toContain("a cat");
  await client.query(
    "update video_task set next_poll_at = now() + interval '1 hour' where id = $1",
    [ids[1]],
  );
  expect((await run("check", { id: ids[1] as string })).json).toEqual({ done: true });
  const checked = (await show(ids[1] as string)).json.task as { next_poll_at: Date };
  expect(checked.next_poll_at.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
  await expect(run("check", { id: "cgt-none" })).rejects.toMatchObject({ code: "not_found" });
  await expect(show("cgt-none")).rejects.toThrow(/no task cgt-none/);
  await Promise.all([pool.end(), database.$disconnect(), client.end(), ledger.close()]);
});
