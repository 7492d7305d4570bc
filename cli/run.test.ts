import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyPassword } from "../lib/accounts/password";
import { openPool } from "../lib/db/pool";
import { openTestInstallation, runInProcess } from "./testing";

const root = join(import.meta.dirname, "..");
let environment: NodeJS.ProcessEnv;
let installation: Awaited<ReturnType<typeof openTestInstallation>>;

beforeAll(async () => {
  installation = await openTestInstallation();
  environment = installation.environment;
});
afterAll(() => installation.remove());

const relay = (...words: string[]) => relayWith({}, ...words);

const relayWith = (given: { input?: string; variables?: Record<string, string> }, ...words: string[]) =>
  runInProcess(words, { environment: { ...environment, ...given.variables }, input: given.input });

async function json(...words: string[]) {
  const { code, out, err } = await relay(...words, "--json");
  expect([code, err]).toEqual([0, ""]);
  // One JSON document and nothing else.
  expect(out.trim().split("\n")).toHaveLength(1);
  return JSON.parse(out);
}

test("an operator makes an account with points, credits it, sets its multiplier and gives it a key", async () => {
  const { account } = await json(
    "account",
    "create",
    "--email",
    "Op@Example.com",
    "--password",
    "correct horse battery",
    "--operator",
    "--points",
    "3",
  );
  expect(account).toMatchObject({ id: expect.stringMatching(/^acct_/), email: "op@example.com", operator: true, available_points: 3 });
  const credited = await json("account", "credit", "--email", "op@example.com", "--points", "0.000001", "--reason", "test");
  expect(credited).toMatchObject({ account: { available_points: 3.000001 }, entry: { id: expect.any(String), points: 0.000001 } });
  const taken = await json("account", "credit", "--email", "op@example.com", "--points", "-1.5", "--reason", "test");
  expect(taken).toMatchObject({ account: { available_points: 1.500001 }, entry: { points: -1.5 } });
  await json("account", "multiplier", "--email", "op@example.com", "--value", "1.25");
  await json("account", "multiplier", "--email", "op@example.com", "--value", "0.5", "--model", "relay-v1");
  expect((await json("account", "show", "--email", "op@example.com")).account).toMatchObject({
    available_points: 1.500001,
    held_points: 0,
    multiplier: 1.25,
    model_multipliers: { RelayV1: 0.5 },
  });
  const made = await json(
    "key",
    "create",
    "--email",
    "op@example.com",
    "--name",
    "ci",
    "--rpm",
    "7",
    "--budget",
    "2",
    "--models",
    "RelayV1",
    "--expires",
    "2099-01-01T00:00:00Z",
  );
  expect(made).toMatchObject({
    key: { id: expect.stringMatching(/^key_/), name: "ci", requests_per_minute: 7, revoked_at: null },
    secret: expect.stringMatching(/^sk-rly-/),
  });
  expect((await json("key", "revoke", "--id", made.key.id)).key.revoked_at).toEqual(expect.any(String));
  expect((await json("usage", "--email", "op@example.com", "--from", "2026-01-01")).usage).toEqual([]);
}, 60_000);

test("channels, prices and vouchers are made and listed, credentials never shown, and the ledger audits clean", async () => {
  const { channel } = await json(
    "channel",
    "create",
    "--name",
    "main",
    "--protocol",
    "openai",
    "--base-url",
    "https://api.example.com/v1/",
    "--api-key",
    "upstream-canary",
    "--models",
    "RelayV1=some-model",
    "--rps",
    "0",
    "--priority",
    "-1",
  );
  expect(channel).toMatchObject({
    name: "main",
    base_url: "https://api.example.com/v1",
    models: { RelayV1: "some-model" },
    enabled: true,
    rps: 0,
    rpm: 600,
    priority: -1,
  });
  expect((await json("channel", "disable", "--id", channel.id)).channels).toMatchObject([{ id: channel.id, enabled: false }]);
  expect((await json("channel", "enable", "--id", channel.id)).channels).toMatchObject([{ enabled: true }]);
  const terms = ["--allow-fields", "thinking, top_k", "--output-cap", "none"];
  const edited = await json("channel", "edit", "--id", channel.id, "--weight", "7", "--timeout-seconds", "20", ...terms);
  expect(edited.channel).toMatchObject({
    weight: 7,
    timeout_seconds: 20,
    rps: 0,
    allowed_fields: ["thinking", "top_k"],
    output_cap: "none",
  });
  expect((await json("channel", "show", "--id", channel.id)).channel).toMatchObject({ weight: 7, in_flight: 0, last_error: null });
  await json("channel", "edit", "--id", channel.id, "--base-url", "http://127.0.0.1:1", "--api-key", "another-canary");
  const tested = await relay("channel", "test", "--id", channel.id, "--json");
  expect([tested.code, JSON.parse(tested.out).test.ok]).toEqual([1, false]);
  expect(JSON.stringify(await json("channel", "list")) + tested.out).not.toContain("canary");
  expect((await json("channel", "drain", "--id", channel.id)).channels).toMatchObject([{ enabled: false, state: "draining" }]);
  expect(await json("channel", "remove", "--id", channel.id)).toEqual({ id: channel.id, result: "deleted" });
  expect((await json("price", "list")).prices).toHaveLength(8);
  const { prices } = await json("price", "set", "--model", "relay-v1", "--input", "0.5", "--output", "12.25");
  expect(prices[0]).toMatchObject({ model: "RelayV1", input: 0.5, output: 12.25 });
  const toCome = ["price", "set", "--model", "relay-v1", "--output", "13", "--effective", "2100-01-01"];
  expect((await json(...toCome)).prices[0]).toMatchObject({ model: "RelayV1", output: 12.25 });
  const { prices: upcoming } = await json("price", "upcoming");
  expect(upcoming).toMatchObject([
    { model: "RelayV1", input: 0.5, output: 13, effective_at: "2100-01-01T00:00:00.000Z", created_by: "cli" },
  ]);
  expect((await json("price", "withdraw", "--id", upcoming[0].id)).prices).toEqual([]);
  const cost = ["price", "cost", "--model", "relay-v1", "--currency", "CNY", "--input", "0.8", "--output", "2"];
  expect((await json(...cost)).costs).toEqual([{ subject: "RelayV1", currency: "CNY", input: 0.8, output: 2 }]);
  expect((await json("price", "preview", "--model", "relay-v1", "--output", "9")).preview).toMatchObject({ requests: 0, at_new: 0 });
  expect((await json("voucher", "create", "--points", "5", "--count", "3")).vouchers).toHaveLength(3);
  expect(await json("ledger", "audit")).toMatchObject({
    ok: true,
    checks: expect.any(Array),
    accounts: expect.any(Number),
    entries: expect.any(Number),
  });
}, 60_000);

test("settings are set and unset, and a notice is posted and ended, by the command line", async () => {
  const { settings } = await json("setting", "set", "--name", "welcome_points", "--value", "7");
  expect(settings).toContainEqual({ name: "welcome_points", value: "7", source: "here", otherwise: "1000" });
  const made = await json("account", "create", "--email", "seven@example.com", "--password", "correct horse battery");
  expect(made.account.available_points).toBe(7);
  expect((await json("setting", "unset", "--name", "welcome_points")).settings[1]).toMatchObject({ value: "1000", source: "default" });
  const { notices } = await json("notice", "post", "--en", "Hello", "--zh", "你好", "--level", "warning");
  expect(notices).toMatchObject([{ en: "Hello", zh: "你好", level: "warning", ends_at: null }]);
  expect((await json("notice", "end", "--id", notices[0].id)).notices).toMatchObject([{ ends_at: expect.any(String) }]);
}, 60_000);

test.each<[number, RegExp, string[]]>([
  [1, /sign_up is "maybe": it must be one of open, invite, closed/, ["setting", "set", "--name", "sign_up", "--value", "maybe"]],
  [1, /no setting port/, ["setting", "unset", "--name", "port"]],
  [2, /--level loud/, ["notice", "post", "--en", "a", "--zh", "b", "--level", "loud"]],
  [1, /a moment to come/, ["price", "set", "--model", "relay-v1", "--output", "1", "--effective", "2020-01-01"]],
  [2, /no command nothing/, ["nothing"]],
  [2, /account is followed by create, credit/, ["account", "delete"]],
  [2, /--email is missing/, ["account", "show"]],
  [2, /--emial/, ["account", "show", "--emial", "x"]],
  [2, /--points 1\.2345678/, ["account", "credit", "--email", "a@b.c", "--points", "1.2345678", "--reason", "x"]],
  [2, /--reason is missing/, ["account", "credit", "--email", "a@b.c", "--points", "1"]],
  [2, /10 to 200 characters/, ["account", "create", "--email", "a@b.c", "--password", "short"]],
  [1, /no account of nobody@example.com/, ["account", "show", "--email", "nobody@example.com"]],
  [1, /no model gpt-4/, ["price", "set", "--model", "gpt-4", "--output", "1"]],
  [1, /no such key/, ["key", "revoke", "--id", "key_none"]],
  [1, /no channel ch_none/, ["channel", "disable", "--id", "ch_none"]],
])("exit %i with %s on standard error and nothing on standard output", async (exit, message, words) => {
  const { code, out, err } = await relay(...words, "--json");
  expect([code, out]).toEqual([exit, ""]);
  expect(err).toMatch(message);
});

test("a wrong setting and a database that is not there are one line and exit 1", async () => {
  const { DATABASE_URL } = environment;
  environment.DATABASE_URL = "postgresql://127.0.0.1:1/none";
  const unreachable = await relay("price", "list");
  expect([unreachable.code, unreachable.err.trim().split("\n")]).toEqual([1, [expect.stringContaining("ECONNREFUSED")]]);
  environment.DATABASE_URL = "mysql://x";
  const wrong = await relay("price", "list");
  expect([wrong.code, wrong.err.trim().split("\n")]).toEqual([1, [expect.stringContaining("DATABASE_URL")]]);
  environment.DATABASE_URL = DATABASE_URL;
});

test("vouchers are made in batches and cancelled, packages are priced, payments listed, and the money shown", async () => {
  const { batch, vouchers } = await json("voucher", "create", "--name", "Spring", "--points", "5", "--count", "2");
  expect(vouchers).toHaveLength(2);
  expect((await json("voucher", "list")).batches).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ id: batch, name: "Spring", left: 2 })]),
  );
  expect(await json("voucher", "cancel", "--batch", batch)).toEqual({ cancelled: 2 });
  expect((await json("voucher", "show", "--batch", batch)).vouchers).toMatchObject([{ state: "cancelled" }, { state: "cancelled" }]);
  const made = await json("package", "create", "--name", "Small", "--points", "100", "--amount", "999", "--currency", "EUR");
  const { id } = made.package;
  expect((await json("package", "change", "--id", id, "--amount", "1099", "--disable")).package).toMatchObject({
    amount: 1099,
    enabled: false,
  });
  expect((await json("package", "list")).packages).toMatchObject([{ id, currency: "eur" }]);
  expect(await json("payment", "list")).toEqual({ payments: [], next_cursor: null });
  expect(await json("payment", "sweep")).toEqual({ taken: 0 });
  expect((await relay("payment", "attend", "--id", "pay_none")).code).toBe(1);
  expect(await json("ledger", "audit")).toMatchObject({ ok: true });
  expect(await json("money", "--days", "7")).toMatchObject({ revenue: [], audit: { isClean: true, actor: "cli" } });
}, 120_000);

test("a password comes from standard input or the environment, and is checked as one given as an option is", async () => {
  const make = (email: string, given: Parameters<typeof relayWith>[0], ...words: string[]) =>
    relayWith(given, "account", "create", "--email", email, ...words, "--json");
  const piped = { input: "piped horse battery\n" };
  expect((await make("stdin@example.com", piped, "--password-stdin")).code).toBe(0);
  expect((await make("dash@example.com", { input: "piped horse battery" }, "--password", "-")).code).toBe(0);
  expect((await make("variable@example.com", { variables: { RELAY_PASSWORD: "a variable's horse" } })).code).toBe(0);
  const pool = openPool(String(environment.DATABASE_URL), 1);
  const { rows } = await pool.query<{ email: string; password_hash: string }>(`select email, password_hash from "user"`);
  await pool.end();
  const hashes = new Map(rows.map((row) => [row.email, row.password_hash]));
  for (const email of ["stdin@example.com", "dash@example.com"])
    expect(await verifyPassword(hashes.get(email) ?? null, "piped horse battery")).toBe(true);
  expect(await verifyPassword(hashes.get("variable@example.com") ?? null, "a variable's horse")).toBe(true);
  expect(await make("none@example.com", {})).toMatchObject({ code: 2, err: expect.stringContaining("RELAY_PASSWORD") });
  expect(await make("none@example.com", { input: "\n" }, "--password-stdin")).toMatchObject({
    code: 2,
    err: expect.stringContaining("empty"),
  });
  expect(await make("none@example.com", { input: "short" }, "--password", "-")).toMatchObject({ code: 2 });
}, 120_000);

test("an upstream's key comes from standard input or the environment, and a variable alone changes none", async () => {
  const create = (name: string, given: Parameters<typeof relayWith>[0], ...words: string[]) => {
    const way = ["--protocol", "openai", "--base-url", "https://api.example.com/v1", "--models", "RelayV1=x"];
    return relayWith(given, "channel", "create", "--name", name, ...way, ...words, "--json");
  };
  const channelOf = (answer: { out: string }) => JSON.parse(answer.out).channel;
  const variables = { RELAY_UPSTREAM_KEY: "upstream-secret" };
  const made = channelOf(await create("by-variable", { variables }));
  expect(made.has_api_key).toBe(true);
  expect(channelOf(await create("by-stdin", { input: "upstream-secret\n" }, "--api-key", "-")).has_api_key).toBe(true);
  const without = channelOf(await create("without", {}));
  expect(without.has_api_key).toBe(false);
  const renamed = await relayWith({ variables }, "channel", "edit", "--id", without.id, "--name", "still-without", "--json");
  expect(channelOf(renamed).has_api_key).toBe(false);
  const given = await relayWith({ input: "later" }, "channel", "edit", "--id", without.id, "--api-key-stdin", "--json");
  expect(channelOf(given).has_api_key).toBe(true);
}, 120_000);

test("neither README nor help shows a secret as an option", async () => {
  const { out } = await relay("--help");
  const texts = [out, ...["README.md", "docs/operating.md", "server/main.ts"].map((file) => readFileSync(join(root, file), "utf8"))];
  for (const text of texts) expect(text).not.toMatch(/--(password|api-key)[ =](?!-|\\|\|)\S/);
});
