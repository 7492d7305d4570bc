/**
 * Tests that commands cannot deadlock on a small pool: none waits for a connection while it holds
 * one, nor for a lock whose holder waits for a connection.
 */
import { afterAll, expect, test } from "vitest";
import { accountCommands, keyCommands } from "@/testing/commands/account-commands";
import { modelCommands } from "@/testing/commands/model-commands";
import { actor, newKey, type TestDeps } from "@/testing/commands/seed";
import { channelCommands, priceCommands, siteCommands } from "@/testing/commands/site-commands";
import { extent } from "@/testing/extent/extent";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { newFolder } from "@/testing/unit/new-folder";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { createLedger } from "../ledger/ledger";
import { changeApiKey, resumeApiKey, revokeApiKey } from "./api-keys";

const endings: (() => Promise<unknown>)[] = [];

const site = await startSiteProcess();
afterAll(async () => {
  for (const end of endings) await end();
  await site.close();
});

/** Opens a process with this many connections for Prisma, and as many for SQL. */
async function openDeps(connections: number): Promise<TestDeps> {
  const { databaseUrl, deps } = site;
  const [database, pool] = [
    connectDatabase(databaseUrl, connections),
    openPool(databaseUrl, connections),
  ];
  const spoolFolder = newFolder("few");
  const ledger = await createLedger({ databaseUrl, spoolFolder, role: "tool" });
  endings.push(
    () => database.$disconnect(),
    () => pool.end(),
    () => ledger.close(),
  );
  return { database, pool, ledger, secrets: deps.secrets, providers: deps.providers };
}

const commands = [
  ...accountCommands,
  ...keyCommands,
  ...channelCommands,
  ...modelCommands,
  ...priceCommands,
  ...siteCommands,
];

// One is the harder of the two.
test.each(extent([1], [1, 2]))(
  "all commands at once finish with pools of %i, each with its record",
  async (connections) => {
    const deps = await openDeps(connections);
    const prepared = [];
    for (const { prepare } of commands) prepared.push(await prepare(site));
    const { database } = site.deps;
    const { seq } = await database.operatorActionHead.findFirstOrThrow();
    const done = await Promise.allSettled(prepared.map((command) => command(deps)));
    expect(done.filter(({ status }) => status === "rejected")).toEqual([]);
    const recorded = await database.operatorAction.findMany({
      where: { seq: { gt: seq } },
      select: { action: true },
    });
    expect(recorded.map(({ action }) => action).sort()).toEqual(
      commands.flatMap(({ action, recordsFirst = [] }) => [...recordsFirst, action]).sort(),
    );
  },
);

test("concurrent commands about one key take turns", async () => {
  const deps = await openDeps(3);
  for (let round = 0; round < extent(4, 10); round++) {
    const key = { id: (await newKey(site)).id, accountId: null };
    await site.deps.database.apiKey.update({
      where: { id: key.id },
      data: { pausedAt: new Date(), pausedSpend: 9n },
    });
    await Promise.all([
      changeApiKey(deps, actor, { ...key, budget: 7n, hourlySpendMax: 3n }),
      resumeApiKey(deps, actor, key),
      revokeApiKey(deps, actor, key),
    ]);
  }
});
