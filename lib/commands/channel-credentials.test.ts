/** Tests how the further credentials of a channel are given, kept, removed and stored. */
import { beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { type ChannelRow, channelOf } from "../channels/channel-registry";
import type { GivenCredential } from "../channels/further-credentials";
import { readSeals, resealCredentials } from "../channels/reseal";
import { findChannel } from "../channels/stored-channels";
import { fixedSecrets } from "../crypto/secrets";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { changeChannel, createChannel, setChannelState } from "./channels";
import { removeChannel } from "./remove-channel";

const secrets = fixedSecrets("s".repeat(32));
let id: string;

const url = await createTestDatabase();
const [database, pool] = [connectDatabase(url, 2), openPool(url)];
beforeEach(async () => {
  await pool.query("delete from channel");
  ({ id } = await createChannel({ database, secrets }, "cli", {
    name: "main",
    protocol: "openai",
    baseUrl: "https://api.example.com/v1",
    apiKey: "canary-own",
    credentialWeight: 3,
    credentials: [
      { name: "second", apiKey: "canary-2", weight: 5 },
      { name: "third", apiKey: "canary-3" },
    ],
    models: { RelayV1: "x" },
  }));
});

const change = (fields: object) => changeChannel({ database, secrets }, "cli", { id, ...fields });
const give = (...credentials: GivenCredential[]) => change({ credentials });
const row = async () =>
  (await pool.query<ChannelRow>("select * from channel where id = $1", [id])).rows[0] as ChannelRow;
const keys = async (accepted = secrets) =>
  channelOf(await row(), accepted).choices?.map(({ apiKey, credential }) => [
    credential?.name,
    apiKey,
    credential?.weight,
  ]);

test("a channel is read with all its credentials, which are encrypted and never shown", async () => {
  expect(await keys()).toEqual([
    ["main", "canary-own", 3],
    ["second", "canary-2", 5],
    ["third", "canary-3", 1],
  ]);
  const { credentials, credentialWeight } = await findChannel(database, id);
  const setAt = expect.any(String);
  expect([credentialWeight, credentials]).toEqual([
    3,
    [
      { name: "second", weight: 5, setAt },
      { name: "third", weight: 1, setAt },
    ],
  ]);
  const dump = await pool.query(
    "select c.*, a.detail::text as told from channel c, operator_action a",
  );
  expect(JSON.stringify(dump.rows)).not.toContain("canary");
});

test("a list replaces the further ones: those without a key are kept, and those that are missing removed", async () => {
  await give({ name: "third", weight: 9 }, { name: "fourth", apiKey: "canary-4" });
  expect((await keys())?.slice(1)).toEqual([
    ["third", "canary-3", 9],
    ["fourth", "canary-4", 1],
  ]);
  await change({ apiKey: null, credentials: [{ name: "third" }] });
  expect(channelOf(await row(), secrets)).toMatchObject({ apiKey: "canary-3" });
  expect(await keys()).toBeUndefined();
  await give();
  expect(channelOf(await row(), secrets).apiKey).toBeNull();
});

test.each<[string, GivenCredential[], string]>([
  ["a new one without a key", [{ name: "new" }], "credentials[0].api_key"],
  ["the own one's name", [{ name: "main", apiKey: "k" }], "credentials[0].name"],
  ["a name with a space", [{ name: "a b", apiKey: "k" }], "credentials[0].name"],
  ["a name twice", [{ name: "third" }, { name: "third" }], "credentials[1].name"],
  ["a weight of 0", [{ name: "third", weight: 0 }], "credentials[0].weight"],
  ["a key with a space", [{ name: "third", apiKey: "a b" }], "credentials[0].api_key"],
  [
    "more than 20",
    Array.from({ length: 21 }, (_, n) => ({ name: `n${n}`, apiKey: "k" })),
    "credentials",
  ],
])("%s is refused, and nothing changes", async (_, given, param) => {
  await expect(give(...given)).rejects.toMatchObject({ code: "invalid_value", param });
  expect(await keys()).toHaveLength(3);
});

test("no credential is sent to another host", async () => {
  const baseUrl = "https://other.example.com/v1";
  await expect(change({ baseUrl, apiKey: "new" })).rejects.toMatchObject({ param: "credentials" });
  const credentials = [{ name: "second", apiKey: "new-2" }];
  await change({ baseUrl, apiKey: "new", credentials });
  expect((await keys())?.map(([, key]) => key)).toEqual(["new", "new-2"]);
});

test("a new secret of the installation encrypts all of them again", async () => {
  const rotated = fixedSecrets("t".repeat(32), secrets.current);
  expect((await readSeals(pool, rotated)).previous).toHaveLength(3);
  expect(await resealCredentials(pool, rotated)).toBe(3);
  expect((await keys(fixedSecrets(rotated.current)))?.map(([, key]) => key)).toEqual([
    "canary-own",
    "canary-2",
    "canary-3",
  ]);
  const { current, unknown } = await readSeals(pool, fixedSecrets("u".repeat(32)));
  expect([current, unknown.map(({ name }) => name)]).toEqual([
    [],
    ["main", "main (second)", "main (third)"],
  ]);
});

test("a credential that was moved to another name cannot be decrypted", async () => {
  await pool.query(
    "update channel set credentials = jsonb_set(credentials, '{0,name}', '\"moved\"')",
  );
  const moved = await row();
  expect(() => channelOf(moved, secrets)).toThrow(/cannot be decrypted/);
});

test("an archived channel keeps none", async () => {
  await pool.query("update channel set first_used_at = now()");
  await setChannelState({ database }, "cli", { id, state: "disabled" });
  expect(await removeChannel({ database }, "cli", { id })).toBe("archived");
  expect(await row()).toMatchObject({ credential: null, credentials: [] });
});

const proxyOf = async () => channelOf(await row(), secrets).proxy;

test("a proxy's user and password are encrypted, never shown, and kept with the address", async () => {
  const view = await change({ proxy: "socks5://us%3Aer:canary-p@Proxy.example.com:1080/" });
  expect([view.proxy, view.hasProxyUser]).toEqual(["socks5://Proxy.example.com:1080", true]);
  expect(await proxyOf()).toBe("socks5://us%3Aer:canary-p@Proxy.example.com:1080");
  await change({ proxy: "socks5://Proxy.example.com:1080", weight: 2 });
  expect(await proxyOf()).toContain("canary-p");
  const dump = await pool.query(
    "select c.*, a.detail::text as told from channel c, operator_action a",
  );
  expect(JSON.stringify(dump.rows)).not.toContain("canary");
  await change({ proxy: "socks5://other.example.com:1080" });
  expect(await proxyOf()).toBe("socks5://other.example.com:1080");
  await change({ proxy: "http://u@p.example.com" });
  expect(await proxyOf()).toBe("http://u:@p.example.com");
  await change({ proxy: null });
  expect([await proxyOf(), (await row()).proxy_credential]).toEqual([undefined, null]);
  await change({ proxy: "socks5://u:canary-p@proxy.example.com" });
  const rotated = fixedSecrets("t".repeat(32), secrets.current);
  expect(await resealCredentials(pool, rotated)).toBe(4);
  expect(channelOf(await row(), fixedSecrets(rotated.current)).proxy).toContain("canary-p");
});

test.each([
  "ftp://proxy.example.com",
  "proxy.example.com:1080",
  "socks4://proxy.example.com",
  "http://proxy.example.com/path",
  "http://proxy.example.com?a=1",
  "socks5://:password@proxy.example.com",
  `socks5://${"u".repeat(256)}@proxy.example.com`,
])("%s is refused as a proxy", async (proxy) => {
  await expect(change({ proxy })).rejects.toMatchObject({ code: "invalid_value", param: "proxy" });
});
