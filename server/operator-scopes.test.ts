/** Every row of `/v1/admin` with every kind of key, over HTTP against the process as it is composed. */
import { beforeAll, expect, test } from "vitest";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { keyRow, operatorApiRows } from "@/lib/contract/key-rows";
import type { PageEndpoint } from "@/lib/contract/page-endpoint";
import { type PageName, pageEndpoints } from "@/lib/contract/page-endpoints";
import { liveSettingNames } from "@/lib/contract/setting-names";
import { settingScopes } from "@/lib/contract/setting-scopes";
import { type OperatorScope, operatorScopes } from "@/lib/contract/states";
import { askRow, newManager } from "@/testing/composition/managers";
import { newOperator, newOperatorKey } from "@/testing/composition/operators";
import { serveComposition } from "@/testing/composition/served-composition";
import { opened } from "@/testing/unit/opened";

/** For each scope, a key with it alone, and one with all others. */
const alone = new Map<OperatorScope, string>();
const others = new Map<OperatorScope, string>();
const composed = await opened(serveComposition());
const [one, two] = [await newOperator(composed, "1@example.com"), await newOperator(composed)];
beforeAll(async () => {
  for (const scope of operatorScopes) {
    alone.set(scope, (await newOperatorKey(composed, one, [scope])).secret);
    const rest = operatorScopes.filter((each) => each !== scope);
    others.set(scope, (await newOperatorKey(composed, two, rest)).secret);
  }
});

const ask = (row: EndpointRow, key?: string) => askRow(composed, row, key);

test("each row takes a key with its scope, and refuses one with all the others", async () => {
  const scoped = operatorApiRows.filter(({ scope }) => scope !== undefined);
  expect(scoped.length).toBeGreaterThan(50);
  for (const row of scoped) {
    const scope = operatorScopes.find((each) => each === row.scope) ?? "audit:read";
    const refused = await ask(row, others.get(scope));
    expect([row.name, refused.status, refused.code]).toEqual([row.name, 403, "scope_missing"]);
    expect(refused.text).toContain(`needs the scope ${scope}`);
    const answer = await ask(row, alone.get(scope));
    expect(answer.code, row.name).not.toBe("scope_missing");
    // Unknown ids and empty bodies are refused in the API's own way; nothing fails inside.
    expect([200, 400, 404, 409], `${row.name} ${answer.text}`).toContain(answer.status);
  }
}, 60_000);

test("a setting is what its scope names, and what moves money or power has another as well", async () => {
  const row = keyRow("setLiveSetting") as EndpointRow;
  const operator = await newOperator(composed, "settings@example.com");
  const set = async (scopes: OperatorScope[], name: string, value: string) => {
    const { secret } = await newOperatorKey(composed, operator, scopes);
    const answer = await fetch(`${composed.origin}${row.path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ name, value }),
    });
    const { error } = await answer.json();
    return error ? `${error.code} ${error.message}` : "done";
  };
  expect(Object.keys(settingScopes).sort()).toEqual([...liveSettingNames].sort());
  expect(await set(["settings:write"], "response_days", "7")).toBe("done");
  expect(await set(["settings:write"], "second_factor", "nobody")).toContain(
    "scope_missing The setting second_factor needs the scope access:write",
  );
  expect(await set(["access:write"], "second_factor", "nobody")).toContain("settings:write");
  expect(await set(["settings:write"], "welcome_points", "5")).toContain("points:write");
  expect(await set(["settings:write", "points:write"], "welcome_points", "5")).toBe("done");
  expect(await set(["settings:write", "points:write"], "welcome_points", "100001")).toContain(
    "invalid_value",
  );
  expect(await set(["settings:write", "access:write"], "second_factor", "everyone")).toBe("done");
});

test("multipliers and groups are prices, not accounts, and have a least value", async () => {
  const priced = operatorApiRows.filter(({ path }) => /multiplier|group/.test(path));
  expect(
    priced.filter(({ method, scope }) => method !== "GET" && scope !== "prices:write"),
  ).toEqual([]);
  for (const multiplier of ["0.000001", "0.0099", "0"]) {
    const answer = await fetch(
      `${composed.origin}/v1/admin/accounts/${composed.accountId}/multiplier`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${alone.get("prices:write")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ model: null, multiplier, reason: "cheap" }),
      },
    );
    expect([multiplier, answer.status, (await answer.json()).error.code]).toEqual([
      multiplier,
      400,
      "invalid_value",
    ]);
  }
});

/** Asks with a key that has these scopes; answers the scope that was missing, or the code. */
async function told(scopes: OperatorScope[], method: string, path: string, body?: object) {
  const name = `${scopes.join("-").replaceAll(":", ".")}.${crypto.randomUUID()}`;
  const operator = await newOperator(composed, `${name}@example.com`);
  const { secret } = await newOperatorKey(composed, operator, scopes);
  const answer = await fetch(`${composed.origin}/v1/admin${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = await answer.json();
  const missing = /needs the scope (\S+);/.exec(json.error?.message ?? "")?.[1];
  return { said: missing ?? json.error?.code ?? "done", json };
}

test("rates in the file of a model are prices, and so are the price and the group of a plan", async () => {
  const text = { family: "text", spec: { output_tokens_max: 100, context_tokens: 1000 } };
  const rates = [
    { unit: "input_token", points: "0.000001" },
    { unit: "output_token", points: "0.000001" },
  ];
  const file = { id: "scoped-model", ...text };
  const create = (scopes: OperatorScope[], more: object = {}) =>
    told(scopes, "POST", "/models", { ...file, ...more });
  expect((await create(["models:write"], { rates })).said).toBe("prices:write");
  expect((await create(["models:write"])).said).toBe("done");
  const change = (scopes: OperatorScope[], more: object) =>
    told(scopes, "POST", "/models/scoped-model", { ...file, ...more });
  expect((await change(["models:write"], { rates })).said).toBe("prices:write");
  expect((await change(["models:write", "prices:write"], { rates })).said).toBe("done");
  // As they are: nothing is priced anew.
  const spec = { ...text.spec, output_tokens_max: 200 };
  expect((await change(["models:write"], { rates, spec })).said).toBe("done");

  const plan = { name: "Scoped", note: null, points: 10, period: "day", hours: null };
  const sold = { ...plan, group_id: null, amount: 900, currency: "eur" };
  const free = { ...plan, group_id: null, amount: null, currency: null };
  const { json } = await told(["prices:write"], "POST", "/groups", {
    name: "Cheap",
    multiplier: "0.5",
    models: [],
    model_multipliers: [],
  });
  const groupId: string = json.data?.[0]?.id ?? json.group?.id ?? json.id;
  const both: OperatorScope[] = ["points:write", "prices:write"];
  for (const wanted of [sold, { ...free, group_id: groupId }]) {
    expect((await told(["points:write"], "POST", "/plans", wanted)).said).toBe("prices:write");
    expect((await told(both, "POST", "/plans", wanted)).said).toBe("done");
  }
  const dear = (await told(both, "POST", "/plans", sold)).json.data.find(
    ({ amount }: { amount: unknown }) => amount === 900,
  );
  const advance = { advance_periods: 12, advance_amount: 1 };
  for (const [scopes, said] of [
    [["points:write"], "prices:write"] as const,
    [both, "done"] as const,
  ])
    expect((await told([...scopes], "POST", `/plans/${dear?.id}`, advance)).said).toBe(said);
  const made = await told(["points:write"], "POST", "/plans", free);
  const plans: { id: string; group: unknown; amount: unknown }[] = made.json.data;
  const [grouped] = plans.filter(({ group }) => group !== null);
  const [plain] = plans.filter(({ group, amount }) => group === null && amount === null);
  const raised = { group_id: groupId };
  expect((await told(["points:write"], "POST", `/plans/${plain?.id}`, raised)).said).toBe(
    "prices:write",
  );
  const path = `/accounts/${composed.accountId}/plan`;
  const put = (scopes: OperatorScope[], id?: string) =>
    told(scopes, "POST", path, { plan_id: id, when: "now" });
  expect((await put(["points:write"], grouped?.id)).said).toBe("prices:write");
  expect((await put(["points:write"], plain?.id)).said).toBe("done");
  expect((await put(both, grouped?.id)).said).toBe("done");
  const batch = { name: "Batch", points: null, count: 1, expires_at: null };
  const vouchers = (scopes: OperatorScope[]) =>
    told(scopes, "POST", "/vouchers", { ...batch, plan: { id: grouped?.id, periods: 1 } });
  expect((await vouchers(["points:write"])).said).toBe("prices:write");
  expect((await vouchers(both)).said).toBe("done");
});

test("a key of another kind is told which one it takes", async () => {
  const { secret } = await newManager(composed, composed.accountId);
  const refused = await ask(operatorApiRows[0] as EndpointRow, secret);
  expect(refused.text).toContain("takes an operator key (sk-rly-op-…), not a management key");
});

test("what the pages want a fresh proof for has a scope that writes, and no key makes keys", () => {
  const rows = Object.entries<PageEndpoint>(pageEndpoints).filter(
    ([, { who }]) => who === "operator",
  );
  const isWrite = ({ scope }: PageEndpoint) => scope === undefined || scope.endsWith(":write");
  expect(rows.filter(([, row]) => row.proof && !isWrite(row))).toEqual([]);
  expect(
    rows.filter(([, row]) => row.method === "GET" && isWrite(row)).map(([name]) => name),
  ).toEqual(["listOperatorKeys"]);
  const leftOut = rows.flatMap(([name]) => (keyRow(name as PageName) ? [] : [name]));
  expect(leftOut.sort()).toEqual([
    "createOperatorKey",
    "endAccountSession",
    "listOperatorKeys",
    "revokeOperatorKey",
  ]);
  expect(operatorApiRows.filter(({ path }) => /operator-keys|sessions|role/.test(path))).toEqual(
    [],
  );
});
