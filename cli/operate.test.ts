import { beforeAll, expect, test } from "vitest";
import { fixedSecrets } from "@/lib/crypto/secrets";
import { createLedger } from "@/lib/ledger/ledger";
import { flagsOf } from "@/testing/cli/commands";
import { charged, connect, newSpoolFolder, seedPrice } from "@/testing/ledger/test-ledger";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { accountCommands } from "./account";
import { auditCommands } from "./audit";
import type { Command } from "./command";
import { ledgerCommands } from "./ledger";
import { nouns } from "./nouns";
import type { OpenInstallation } from "./open";

const email = "someone@example.com";

const site = await opened(startSiteProcess());
const ledger = await opened(
  createLedger({ databaseUrl: site.databaseUrl, spoolFolder: newSpoolFolder() }),
);
const { settings, live, database, pool } = site.deps;
const patiently: OpenInstallation["patiently"] = async (work) => {
  const client = await connect(site.databaseUrl);
  return work(client, () => connect(site.databaseUrl)).finally(() => client.end());
};
const installation = {
  settings,
  live,
  environment: process.env,
  database,
  pool,
  ledger,
  secrets: () => fixedSecrets(""),
  patiently,
  asOwner: patiently,
  close: async () => {},
};
beforeAll(async () => {
  await run(accountCommands.create, { email, password: "correct horse battery", points: "10" });
});

async function ofRow(noun: string, verb: string): Promise<Command> {
  const command = (await nouns[noun]?.())?.[verb];
  if (command === undefined || !("run" in command)) throw new Error(`no ${noun} ${verb}`);
  return command;
}

const run = async (command: Command, values: Record<string, string>) =>
  (await command.run(installation, flagsOf(values))).json as never;

test("an account is suspended and resumed, and a user is made an operator", async () => {
  const done = { done: true };
  const status = async () => (await run(accountCommands.show, { email })) as unknown;
  expect(await run(await ofRow("account", "suspend"), { email, reason: "Unpaid" })).toEqual(done);
  expect(await status()).toMatchObject({ account: { status: "suspended" } });
  expect(await run(await ofRow("account", "resume"), { account: email })).toEqual(done);
  expect(await status()).toMatchObject({ account: { status: "active" } });
  expect(await run(accountCommands.operators, {})).toEqual({ operators: [] });
  expect(await run(accountCommands.operator, { email, value: "yes" })).toMatchObject({
    account: { operator: true },
  });
  expect(await run(accountCommands.operators, {})).toMatchObject({ operators: [{ email }] });
  expect(await run(accountCommands.operator, { email, value: "no" })).toMatchObject({
    account: { operator: false },
  });
  const listed = await accountCommands.list.runOnPool(
    installation.pool,
    flagsOf({ search: "SOMEONE" }),
  );
  expect(listed.json).toMatchObject({ accounts: [{ email, status: "active" }] });
  const limits = await ofRow("account", "limits");
  const limit = (rpm: string) => run(limits, { email, "requests-per-minute": rpm });
  for (const [rpm, shown] of [
    ["7", 7],
    ["none", null],
  ] as const) {
    expect(await limit(rpm)).toEqual(done);
    expect(await status()).toMatchObject({ account: { key_requests_per_minute: shown } });
  }
  await expect(limit("0")).rejects.toThrow(/--requests-per-minute is 0/);
  const { sessionVersion } = await site.deps.database.user.findUniqueOrThrow({ where: { email } });
  await run(accountCommands["sign-out"], { email });
  expect(await site.deps.database.user.findUniqueOrThrow({ where: { email } })).toMatchObject({
    sessionVersion: sessionVersion + 1,
  });
  await expect(run(accountCommands.operator, { email, value: "maybe" })).rejects.toThrow(
    /--value must be yes or no/,
  );
});

test("an invitation is created, listed and revoked", async () => {
  const { invite, link } = (await run(await ofRow("invite", "create"), {
    points: "2",
    note: "a friend",
  })) as {
    invite: { id: string };
    link: string;
  };
  expect(invite).toMatchObject({ note: "a friend", points: 2, used_at: null });
  expect(link).toMatch(/^http:\/\/localhost:3000\/signup\?invite=[\w-]{32}$/);
  expect(await run(await ofRow("invite", "revoke"), { id: invite.id })).toMatchObject({
    invite: { status: "revoked" },
  });
  expect(await run(await ofRow("invite", "list"), {})).toMatchObject({ data: [{ id: invite.id }] });
});

test("a charge is refunded once per reference", async () => {
  const { accountId } = await site.deps.database.user.findUniqueOrThrow({ where: { email } });
  const client = await connect(site.databaseUrl);
  const priceVersionId = await seedPrice(client).finally(() => client.end());
  const seeded = { accountId, apiKeyId: "", priceVersionId };
  const hold = await charged(ledger, seeded, 2_000_000n, { apiKeyId: null });
  const flags = {
    operation: hold.operationId,
    reason: "Black video",
    points: "0.5",
    ref: "case-1",
  };
  expect(await run(ledgerCommands.refund, flags)).toMatchObject({
    refund: { account: accountId, points: 0.5, is_new: true },
  });
  expect(await run(ledgerCommands.refund, flags)).toMatchObject({ refund: { is_new: false } });
  await expect(run(ledgerCommands.refund, { ...flags, points: "-1" })).rejects.toThrow(
    /more than 0/,
  );
  await expect(run(ledgerCommands.refund, { ...flags, operation: "x" })).rejects.toThrow(
    /id of a request/,
  );
  const show = await ofRow("request", "show");
  expect(await run(show, { id: hold.operationId })).toMatchObject({
    account: { email },
    losses: [],
    refunds: [{ reason: "Black video", points: 0.5 }],
  });
  await expect(run(show, { id: "req_nothing" })).rejects.toMatchObject({ code: "not_found" });
});

test("the audit log is verified, also against a head recorded earlier", async () => {
  const { head } = (await run(auditCommands.verify, {})) as { head: string };
  await run(await ofRow("account", "suspend"), { email, reason: "Later" });
  expect(await run(auditCommands.verify, { head })).toMatchObject({ ok: true, broken: null });
  const strange = await auditCommands.verify.run(installation, flagsOf({ head: "00".repeat(32) }));
  expect(strange).toMatchObject({
    isGood: false,
    text: expect.stringContaining("does not contain"),
  });
});

test("the audit names the last seal, and refuses a day or a head that is not sealed", async () => {
  expect(await run(ledgerCommands.audit, {})).toMatchObject({
    ok: true,
    sealed: { day: null, head: null, isContained: true },
  });
  expect(await run(ledgerCommands.audit, { head: "ab".repeat(32) })).toMatchObject({ ok: false });
  expect(await run(ledgerCommands.audit, { period: "2026-01-01" })).toEqual({
    ok: false,
    day: "2026-01-01",
  });
  await expect(run(ledgerCommands.audit, { period: "yesterday" })).rejects.toThrow(
    "--period yesterday is not a day",
  );
});
