import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { openTestLedger } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { signUp } from "../accounts/sign-up";
import { createApiKey } from "../commands/api-keys";
import { endNotice, postNotice, setLiveSetting } from "../commands/settings";
import { brandName } from "../contract/brand";
import { brandSettingNames, homeParts } from "../contract/setting-names";
import { type Changes, openChanges } from "../db/changes";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { listNotices } from "../queries/notices";
import { readSettings } from "../settings/settings";
import { withLive } from "./effective";
import { createLiveSettings, type LiveSettings } from "./live-settings";

/** Two processes, each with its own connection. */
let processes: { live: LiveSettings; changes: Changes }[];
const environment = { RELAY_SIGNUP: "invite", RELAY_WELCOME_POINTS: "" };

const url = await createTestDatabase();
const pool = await opened(openPool(url, 8));
const database = await opened(connectDatabase(url, 3));
beforeEach(async () => {
  await pool.query("delete from live_setting");
  processes = await Promise.all(
    [1, 2].map(async () => {
      const changes = await openChanges(url);
      return { live: await createLiveSettings({ pool, changes, environment }), changes };
    }),
  );
});
afterEach(async () => {
  await Promise.all(processes.map(({ changes }) => changes.close()));
});

const inAll = (check: (live: LiveSettings) => void) =>
  vi.waitFor(
    () => {
      for (const { live } of processes) check(live);
    },
    { timeout: 5000 },
  );
const sourceOf = (live: LiveSettings, name: string) =>
  live.list().find((setting) => setting.name === name);

test("a setting applies in every process within five seconds; unset, the environment's applies again", async () => {
  for (const { live } of processes) {
    expect(sourceOf(live, "sign_up")).toEqual({
      name: "sign_up",
      value: "invite",
      source: "environment",
      otherwise: "invite",
    });
    expect(sourceOf(live, "welcome_points")).toMatchObject({ value: "1000", source: "default" });
  }
  await setLiveSetting({ database }, "user_1", { name: "sign_up", value: "closed" });
  await setLiveSetting({ database }, "user_1", { name: "welcome_points", value: "12.5" });
  await inAll((live) =>
    expect(live.list()).toMatchObject([
      { value: "closed", source: "here", otherwise: "invite" },
      { value: "12.5", source: "here" },
      { name: "welcome_per_address", value: "3", source: "default" },
      { name: "welcome_per_domain", value: "3", source: "default" },
      { name: "welcome_verified", value: "no", source: "default" },
      {},
      {},
      { name: "response_days", value: "30", source: "default" },
      { name: "second_factor", value: "auto", source: "default" },
      { name: "status_page", value: "operators", source: "default" },
      { name: "human_check", value: "no", source: "default" },
      { name: "human_check_tries", value: "100", source: "default" },
      { name: "channel_test_seconds", value: "60", source: "default" },
      { name: "virtual_models", value: "", source: "default" },
      { name: "automatic_topup", value: "yes", source: "default" },
      { name: "seller_name", value: "", source: "default" },
      { name: "seller_address", value: "", source: "default" },
      { name: "seller_tax_number", value: "", source: "default" },
      { name: "referral_points", value: "0", source: "default" },
      { name: "referral_days", value: "14", source: "default" },
      { name: "referral_month_max", value: "10", source: "default" },
      { name: "referral_total_max", value: "100", source: "default" },
      ...brandSettingNames.map((name) => ({ name, value: "", source: "default" })),
      ...homeParts.map((name) => ({ name, value: "yes", source: "default" })),
    ]),
  );
  const settings = withLive(
    readSettings(environment),
    (processes[0] as (typeof processes)[0]).live.value,
  );
  expect([
    settings.RELAY_SIGNUP,
    settings.RELAY_WELCOME_POINTS,
    { ...settings }.RELAY_SIGNUP,
  ]).toEqual(["closed", "12.5", "closed"]);
  await setLiveSetting({ database }, "user_1", { name: "sign_up", value: null });
  await inAll((live) => expect(live.value("sign_up")).toBe("invite"));
  const written = await database.operatorAction.findMany({ orderBy: { id: "asc" } });
  expect(written).toMatchObject([
    {
      actor: "user_1",
      action: "setting.set",
      subject: "sign_up",
      detail: { before: null, after: "closed" },
    },
    { action: "setting.set", subject: "welcome_points", detail: { before: null, after: "12.5" } },
    { action: "setting.unset", subject: "sign_up", detail: { before: "closed", after: null } },
  ]);
});

test.each([
  ["sign_up", "sometimes"],
  ["welcome_points", "-1"],
  ["welcome_points", "1e3"],
  ["welcome_per_address", "-1"],
  ["welcome_per_domain", "many"],
  ["welcome_verified", "maybe"],
  ["key_requests_per_minute", "0"],
  ["key_requests_per_minute", "6001"],
  ["key_budget", "0"],
  ["response_days", "-1"],
  ["response_days", "366"],
  ["second_factor", "everybody"],
  ["status_page", "nobody"],
  ["human_check", "maybe"],
  ["channel_test_seconds", "9"],
  ["channel_test_seconds", "3601"],
  ["virtual_models", "best: order=cheapest"],
  ["virtual_models", "relay/best: order=fastest"],
  ["virtual_models", "relay/best: tried=9"],
  ["virtual_models", "relay/best:\nrelay/best:"],
  ["human_check_tries", "9"],
  ["human_check_tries", "1001"],
  ["human_check_tries", "1e2"],
  ["automatic_topup", "maybe"],
  ["home_films", ""],
  ["home_figures", "maybe"],
  ["seller_name", "x".repeat(201)],
  ["seller_address", "two\nlines"],
  ["seller_tax_number", "x".repeat(61)],
  ["referral_points", "-1"],
  ["referral_days", "181"],
  ["referral_month_max", "many"],
  ["referral_total_max", "1000000"],
])("an invalid setting is refused with its name: %s = %s", async (name, value) => {
  await expect(setLiveSetting({ database }, "cli", { name, value })).rejects.toMatchObject({
    code: "invalid_value",
    param: name,
  });
  await expect(
    setLiveSetting({ database }, "cli", { name: "__proto__", value }),
  ).rejects.toMatchObject({ code: "not_found" });
});

test("a row with an invalid value is ignored", async () => {
  await pool.query(
    "insert into live_setting (name, value, updated_by) values ('sign_up', '\"sometimes\"', 'x'), ('welcome_points', '7', 'x'), ('other', '1', 'x')",
  );
  await setLiveSetting({ database }, "cli", { name: "key_budget", value: "5" });
  await inAll((live) => expect(live.value("key_budget")).toBe("5"));
  for (const { live } of processes)
    expect([live.value("sign_up"), live.value("welcome_points")]).toEqual(["invite", "1000"]);
});

test("sign-up mode and welcome points apply to the next sign-up, and default limits to the next key, which may override them", async () => {
  const ledger = await openTestLedger(url);
  const { live } = processes[0] as (typeof processes)[0];
  const deps = { database, pool, ledger, settings: withLive(readSettings({}), live.value) };
  const person = (email: string) => ({
    email,
    password: "correct horse battery",
    address: "192.0.2.1",
  });
  await expect(signUp(deps, person("a@example.com"))).rejects.toMatchObject({
    code: "sign_up_closed",
  });
  await setLiveSetting({ database }, "cli", { name: "sign_up", value: "open" });
  await setLiveSetting({ database }, "cli", { name: "welcome_points", value: "3" });
  await inAll((each) =>
    expect([each.value("sign_up"), each.value("welcome_points")]).toEqual(["open", "3"]),
  );
  const { accountId } = await signUp(deps, person("a@example.com"));
  expect(await ledger.balance(accountId)).toMatchObject({ available: 3_000_000n });
  await setLiveSetting({ database }, "cli", { name: "key_requests_per_minute", value: "7" });
  await setLiveSetting({ database }, "cli", { name: "key_budget", value: "2" });
  const made = await createApiKey({ database, ledger }, "test", { accountId, name: "by default" });
  const own = await createApiKey({ database, ledger }, "test", {
    accountId,
    name: "own",
    requestsPerMinute: 9,
    budget: null,
  });
  expect([made.key.requestsPerMinute, own.key.requestsPerMinute]).toEqual([7, 9]);
  expect((await pool.query("select api_key_id, budget::int from api_key_budget")).rows).toEqual([
    { api_key_id: made.key.id, budget: 2_000_000 },
  ]);
  await ledger.close();
});

test("a notice is shown in every process from its start to its end, and one ended early disappears within five seconds", async () => {
  const base = {
    level: "info",
    textEn: "  Maintenance\non Sunday ",
    textZh: "周日维护",
    startsAt: null,
    endsAt: null,
  } as const;
  const now = await postNotice({ database }, "user_1", base);
  const later = await postNotice({ database }, "user_1", {
    ...base,
    startsAt: new Date(Date.now() + 3_600_000),
    textEn: "later",
  });
  const brief = await postNotice({ database }, "user_1", {
    ...base,
    textEn: "brief",
    endsAt: new Date(Date.now() + 1000),
  });
  await inAll((live) => expect(live.notices().map(({ id }) => id)).toContain(now.id));
  expect(now.textEn).toBe("Maintenance on Sunday");
  await inAll((live) => expect(live.notices().map(({ id }) => id)).toEqual([now.id]));
  await endNotice({ database }, "user_1", { id: now.id });
  await endNotice({ database }, "user_1", { id: later.id });
  await inAll((live) => expect(live.notices()).toEqual([]));
  expect((await listNotices(database)).map(({ id }) => id)).toEqual([brief.id, later.id, now.id]);
  for (const [change, param] of [
    [{ textEn: " " }, "text_en"],
    [{ textZh: "x".repeat(501) }, "text_zh"],
    [{ endsAt: new Date(0) }, "ends_at"],
  ] as const) {
    await expect(postNotice({ database }, "cli", { ...base, ...change })).rejects.toMatchObject({
      code: "invalid_value",
      param,
    });
  }
  await expect(endNotice({ database }, "cli", { id: "ntc_none" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("the name is what processes call the installation, in the other language where only one was given", async () => {
  const names = () => [brandName("en"), brandName("zh-CN")];
  expect(names()).toEqual(["Relay", "Relay"]);
  await setLiveSetting({ database }, "cli", { name: "brand_name_zh", value: "星桥" });
  await vi.waitFor(() => expect(names()).toEqual(["星桥", "星桥"]), { timeout: 5000 });
  await setLiveSetting({ database }, "cli", { name: "brand_name_en", value: "Starbridge" });
  await vi.waitFor(() => expect(names()).toEqual(["Starbridge", "星桥"]), { timeout: 5000 });
  for (const name of ["brand_name_en", "brand_name_zh"])
    await setLiveSetting({ database }, "cli", { name, value: null });
  await vi.waitFor(() => expect(names()).toEqual(["Relay", "Relay"]), { timeout: 5000 });
});

test("a long value is read once for each change, and the audit log has its length and hash", async () => {
  const seen: number[] = [];
  const watched = new Proxy(pool, {
    get: (target, key) =>
      key === "query"
        ? async (text: string, values?: unknown[]) => {
            const result = await target.query(text, values);
            if (text.includes("xmin")) seen.push(JSON.stringify(result.rows).length);
            return result;
          }
        : Reflect.get(target, key),
  });
  const changes = await openChanges(url);
  const live = await createLiveSettings({ pool: watched, changes, environment });
  const terms = `# Terms ${"x".repeat(5000)}`;
  await setLiveSetting({ database }, "cli", { name: "terms_en", value: terms });
  await vi.waitFor(() => expect(live.value("terms_en")).toBe(terms), { timeout: 5000 });
  await setLiveSetting({ database }, "cli", { name: "footer_en", value: "Ltd." });
  await vi.waitFor(() => expect(live.value("footer_en")).toBe("Ltd."), { timeout: 5000 });
  expect(live.value("terms_en")).toBe(terms);
  expect(seen.filter((length) => length > 5000)).toHaveLength(1);
  await changes.close();
  const [action] = await database.operatorAction.findMany({ where: { subject: "terms_en" } });
  expect(JSON.stringify(action?.detail)).toMatch(
    /"after":\s?"5008 characters, sha256:[0-9a-f]{64}"/,
  );
});
