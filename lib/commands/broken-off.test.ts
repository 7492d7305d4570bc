/**
 * Tests that a change and its record are committed together: whatever fails between them, both
 * exist or neither.
 */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { accessCommands, accountCommands, keyCommands } from "@/testing/commands/account-commands";
import { groupCommands } from "@/testing/commands/group-commands";
import { memberCommands } from "@/testing/commands/member-commands";
import { modelCommands } from "@/testing/commands/model-commands";
import { notificationCommands } from "@/testing/commands/notification-commands";
import { planCommands } from "@/testing/commands/plan-commands";
import type { TestDeps } from "@/testing/commands/seed";
import { channelCommands, priceCommands, siteCommands } from "@/testing/commands/site-commands";
import { topupCommands } from "@/testing/commands/topup-commands";
import { extent, inTurn } from "@/testing/extent/extent";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { connect } from "@/testing/ledger/test-ledger";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { createLedger } from "../ledger/ledger";
import { readActions } from "../queries/read-actions";

const site = await opened(startSiteProcess());
const proxy = await opened(DatabaseProxy.start(site.databaseUrl));
const reader = await opened(connect(site.databaseUrl));
const spoolFolder = newFolder("broken-off");
const { secrets, providers } = site.deps;
const deps: TestDeps = {
  ledger: await opened(createLedger({ databaseUrl: proxy.url, spoolFolder, role: "tool" })),
  pool: await opened(openPool(proxy.url, 2)),
  database: await opened(connectDatabase(proxy.url, 2)),
  ...{ secrets, providers },
};
afterEach(() => {
  proxy.cutsRequest = () => false;
});

const isRecord = (request: Buffer) =>
  /insert into ["\w.]*operator_action/i.test(request.toString("latin1"));
const isCommit = (request: Buffer) =>
  request.length < 100 && /\bcommit\b/i.test(request.toString("latin1"));
const breaks = { "its record": isRecord, "its commit": isCommit } as const;

/** A hash of the rows of every table that has a file; the others have no rows. */
async function tables(): Promise<Map<string, string>> {
  const { rows: names } = await reader.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  );
  const hashes = names.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, ',' order by t::text)) as hash from "${name}" t`,
  );
  const text = hashes.join(" union all ");
  // Under a name, since to plan it takes longer than to run it.
  const name = hash("md5", text);
  const { rows } = await reader.query<{ name: string; hash: string | null }>({ name, text });
  return new Map(rows.flatMap((row) => (row.hash === null ? [] : [[row.name, row.hash]])));
}

async function changedSince(before: Map<string, string>): Promise<string[]> {
  const now = await tables();
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].filter((name) => before.get(name) !== now.get(name));
}

const actionsAfter = async (seq: bigint) =>
  (
    await site.deps.database.operatorAction.findMany({
      where: { seq: { gt: seq } },
      orderBy: { seq: "asc" },
    })
  ).map(({ action }) => action);

const logTables = ["operator_action", "operator_action_head"];

const commands = [
  ...accountCommands,
  ...groupCommands,
  ...accessCommands,
  ...keyCommands,
  ...memberCommands,
  ...channelCommands,
  ...modelCommands,
  ...priceCommands,
  ...siteCommands,
  ...notificationCommands,
  ...topupCommands,
  ...planCommands,
];

/** `npm test` breaks off a third of the commands, by turns before their record and their commit. */
const broken = commands.filter((_, place) => place % extent(3, 1) === 0);
const cases = broken.flatMap((command, place) =>
  inTurn(place, Object.entries(breaks)).map(([where, breaksAt]) => {
    const title =
      command.what === undefined ? command.action : `${command.action} (${command.what})`;
    return [title, where, { ...command, breaksAt }] as const;
  }),
);

test.each(cases)(
  "%s cut off before %s changes nothing; repeated, it is done and recorded once",
  async (_, __, given) => {
    const { action, recordsFirst = [], isRecordAlone, prepare, breaksAt } = given;
    const command = await prepare(site);
    const before = await tables();
    const head = (await site.deps.database.operatorActionHead.findFirstOrThrow()).seq;
    proxy.cutsRequest = breaksAt;
    await expect(command(deps)).rejects.toThrow();
    expect(await changedSince(before)).toEqual([]);
    proxy.cutsRequest = () => false;
    await command(deps);
    expect(await actionsAfter(head)).toEqual([...recordsFirst, action]);
    const changed = await changedSince(before);
    expect(changed).toEqual(expect.arrayContaining(logTables));
    if (!isRecordAlone) expect(changed.length).toBeGreaterThan(logTables.length);
  },
);

test("the audit log has a name for whatever a command was done to, also after it is gone", async () => {
  const { actions } = await readActions(site.deps.pool, {}, { cursor: undefined, limit: 10_000 });
  expect(actions.length).toBeGreaterThan(20);
  const nameless = actions.filter(
    ({ subject, subjectEmail, subjectName }) =>
      /^[a-z]+_[0-9a-z]{26}$/.test(subject) && subjectEmail === null && subjectName === null,
  );
  // The address of a closed account is deleted.
  expect(nameless.filter(({ subject }) => !/^(acct|user)_/.test(subject))).toEqual([]);
});

/**
 * Actions that also change files, that move in what another relay has in many commits, that record an event without a change, or that note outside of
 * the change that the payment provider was asked. Their own tests cover them.
 */
const elsewhere = [
  "card.save",
  "import.run",
  "secret.rotate",
  "secret.forget",
  "sign_in.address_refused",
];

test("every action that a command records is interrupted above", () => {
  const sources = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const text = sources
    .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
    .join("\n");
  const written = new Set([...text.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, name]) => name));
  expect([...written].sort()).toEqual(
    [...new Set([...commands.map(({ action }) => action), ...elsewhere])].sort(),
  );
});
