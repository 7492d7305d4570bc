import { beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { createChannel, type NewChannel, setChannelState } from "../commands/channels";
import { fixedSecrets } from "../crypto/secrets";
import { openChanges } from "../db/changes";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { createChannelRegistry } from "./channel-registry";
import { listChannels } from "./stored-channels";

const secret = "a secret of at least thirty-two characters";
const secrets = fixedSecrets(secret);
const channel: NewChannel = {
  name: "first",
  protocol: "openai",
  baseUrl: "https://api.example.com/v1/",
  apiKey: "upstream-canary-1",
  models: { "relay-v1": "some-model" },
};

const url = await createTestDatabase();
const pool = await opened(openPool(url));
const database = await opened(connectDatabase(url, 2));
const changes = await opened(openChanges(url));
beforeEach(() => pool.query("delete from channel"));

test("a stored channel is offered under catalogue names with its credential, by priority, until it is disabled", async () => {
  const registry = await createChannelRegistry({ pool, changes, secrets });
  const first = await createChannel({ database, secrets }, "cli", channel);
  await createChannel({ database, secrets }, "cli", {
    ...channel,
    name: "second",
    priority: 5,
    apiKey: null,
  });
  await vi.waitFor(
    () => expect(registry.forModel("RelayV1").map(({ name }) => name)).toEqual(["second", "first"]),
    { timeout: 5000 },
  );
  expect(registry.forModel("RelayV1")[1]).toMatchObject({
    baseUrl: "https://api.example.com/v1",
    apiKey: "upstream-canary-1",
    models: { RelayV1: "some-model" },
    requestsPerSecond: 10,
    requestsPerMinute: 600,
  });
  await setChannelState({ database }, "cli", { id: first.id, state: "disabled" });
  await vi.waitFor(
    () => expect(registry.forModel("RelayV1").map(({ name }) => name)).toEqual(["second"]),
    { timeout: 5000 },
  );
  expect(registry.forModel("Super-Relay")).toEqual([]);
});

test("credentials are encrypted in the database, missing from lists, have their own nonces, and fail when swapped between rows", async () => {
  const one = await createChannel({ database, secrets }, "cli", channel);
  const two = await createChannel({ database, secrets }, "cli", {
    ...channel,
    name: "second",
    apiKey: "upstream-canary-2",
  });
  const dump = JSON.stringify(
    (await pool.query("select *, encode(credential, 'escape') as text from channel")).rows,
  );
  expect(dump + JSON.stringify(await listChannels(database))).not.toContain("canary");
  // A registry says it again when news of the same change makes it read again.
  const problems = new Set<string>();
  const open = () =>
    createChannelRegistry({
      pool,
      changes,
      secrets: fixedSecrets(secret),
      onProblem: (message) => problems.add(message),
    });
  expect((await open()).forModel("RelayV1")).toHaveLength(2);
  const { rows } = await pool.query(
    "select credential, credential_nonce from channel order by name",
  );
  await expect(
    pool.query("update channel set credential_nonce = $1 where id = $2", [
      rows[0].credential_nonce,
      two.id,
    ]),
  ).rejects.toThrow(/unique/);
  await pool.query("update channel set credential = null, credential_nonce = null where id = $1", [
    one.id,
  ]);
  await pool.query("update channel set credential = $1, credential_nonce = $2 where id = $3", [
    rows[0].credential,
    rows[0].credential_nonce,
    two.id,
  ]);
  expect((await open()).forModel("RelayV1").map(({ name }) => name)).toEqual(["first"]);
  expect(problems.size).toBe(1);
});

test("no credential decrypts with another secret", async () => {
  await createChannel({ database, secrets }, "cli", channel);
  const registry = await createChannelRegistry({
    pool,
    changes,
    secrets: fixedSecrets(`another ${secret}`),
  });
  expect(registry.forModel("RelayV1")).toEqual([]);
});

test.each<[Partial<NewChannel>, string]>([
  [{ baseUrl: "ftp://example.com" }, "base_url"],
  [{ baseUrl: "https://user:pass@example.com" }, "base_url"],
  [{ baseUrl: "https://example.com/v1?key=1" }, "base_url"],
  [{ models: { "gpt-4": "x" } }, "models"],
  [{ models: {} }, "models"],
  [{ models: { RelayV1: "" } }, "models"],
  [{ apiKey: "two words" }, "api_key"],
  [{ weight: 0 }, "weight"],
  [{ requestsPerSecond: 1.5 }, "rps"],
  [{ name: " " }, "name"],
])("an invalid channel is refused with the name of the field: %j", async (change, param) => {
  await expect(
    createChannel({ database, secrets }, "cli", { ...channel, ...change }),
  ).rejects.toMatchObject({
    code: "invalid_value",
    param,
  });
});

test("two channels cannot have one name", async () => {
  await createChannel({ database, secrets }, "cli", channel);
  await expect(createChannel({ database, secrets }, "cli", channel)).rejects.toMatchObject({
    code: "already_exists",
  });
});
