/** A key's terms come from its account and its group, in every process, without further queries. */
import { beforeEach, expect, test, vi } from "vitest";
import { openKeyDatabase } from "@/testing/accounts/key-database";
import { extent } from "@/testing/extent/extent";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { newId } from "../crypto/ids";
import type { KeyAuthenticator } from "./key-authenticator";

let group: string;
const keys = await opened(openKeyDatabase());
beforeEach(async () => {
  group = newId("group");
  await keys.admin.query(
    "insert into account_group (id, name, multiplier_ppm, models, created_by) values ($1, $1, 850000, '{RelayV1}', 'test')",
    [group],
  );
  await keys.admin.query("insert into account_group_multiplier values ($1, 'RelayV1', 500000)", [
    group,
  ]);
});

async function member() {
  const key = await keys.seedKey();
  await keys.admin.query("update account set group_id = $1 where id = $2", [group, key.accountId]);
  return key;
}

async function termsIn(authenticator: KeyAuthenticator, header: string) {
  const principal = await authenticator.identify(header);
  const { multiplierPpm, sees } = principal;
  const models = ["RelayV1", "Super-Relay"];
  return [...models.map((model) => multiplierPpm(model)), ...models.map((model) => sees(model))];
}

const grouped = [500_000, 850_000, true, false];

test("the keys of a group are read many at a time, and no request needs a further query", async () => {
  const { authenticator, counts, caughtUp } = await keys.startCounted();
  const asked = [await keys.seedKey()];
  while (asked.length < 20) asked.push(await member());
  await caughtUp();
  const read = () => Promise.all(asked.map(({ header }) => termsIn(authenticator, header)));
  const all = [[1_000_000, 1_000_000, true, true], ...Array(19).fill(grouped)];
  expect(await read()).toEqual(all);
  const { queries } = counts;
  // Two keys at once, then all that waited.
  expect(queries).toBeLessThanOrEqual(3);
  for (let times = 0; times < 20; times++) expect(await read()).toEqual(all);
  expect(counts.queries).toBe(queries);
});

test("every process has a change of a group, or of who is in it, within a second", async () => {
  const [one, two] = [await keys.startProcess(), await keys.startProcess()];
  const key = await member();
  const everywhere = (terms: unknown[]) =>
    vi.waitFor(async () => {
      for (const { authenticator } of [one, two])
        expect(await termsIn(authenticator, key.header)).toEqual(terms);
    }, 1000);
  await everywhere(grouped);
  await keys.admin.query("update account_group_multiplier set multiplier_ppm = 400000");
  await everywhere([400_000, 850_000, true, false]);
  await keys.admin.query("update account_group set multiplier_ppm = null, models = '{}'");
  await everywhere([400_000, 1_000_000, true, true]);
  await keys.admin.query("update account set own_multiplier_ppm = 900000");
  await everywhere([900_000, 900_000, true, true]);
  await keys.admin.query("update account set group_id = null, own_multiplier_ppm = null");
  await everywhere([1_000_000, 1_000_000, true, true]);
});

test("a change without a notification applies within 5 s, also to a key in constant use", async () => {
  const { authenticator } = await keys.startProcess(extent(500, undefined));
  const key = await member();
  await vi.waitFor(async () => expect(await termsIn(authenticator, key.header)).toEqual(grouped));
  const client = await connect(keys.databaseUrl);
  await client.query("set session_replication_role = replica");
  await client.query("update account_group set multiplier_ppm = 700000");
  await client.end();
  const changed = [500_000, 700_000, true, false];
  await vi.waitFor(
    async () => expect(await termsIn(authenticator, key.header)).toEqual(changed),
    5000,
  );
});
