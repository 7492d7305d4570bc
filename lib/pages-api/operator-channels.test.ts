import { expect, test } from "vitest";
import { startOperatorProcess } from "@/testing/pages-api/operator-process";
import { opened } from "@/testing/unit/opened";
import { saying, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import type { PageEndpoints } from "../contract/page-endpoint";
import { type PageName, pageEndpoints } from "../contract/page-endpoints";
import { pageHandlers } from "./page-handlers";

const own = await opened(startOperatorProcess(), ({ site }) => site.close());
const upstream = await opened(startUpstream(saying("OK", usageOf(7, 1))));

const actions = async () =>
  (await own.site.deps.database.operatorAction.findMany({ orderBy: { id: "asc" } })).map(
    ({ action, actor }) => `${action} ${actor}`,
  );

const operatorRows = Object.entries(pageEndpoints as PageEndpoints).filter(
  ([, { who }]) => who === "operator",
);

test("channel addresses exist only for operators, and changes that require it ask for a recent password", async () => {
  const handlers = pageHandlers(own.host);
  const codeOf = async (name: string) =>
    (await own.call(handlers[name as PageName], { body: {}, id: "x" })).json.error?.code;
  const before = await own.site.dump();
  expect(operatorRows.length).toBeGreaterThan(45);
  for (const current of [null, { ...own.operator, isOperator: false }]) {
    own.session.current = current;
    for (const [name] of operatorRows)
      expect([name, await codeOf(name)]).toEqual([name, "route_not_found"]);
  }
  own.session.current = own.operator;
  own.session.isProved = false;
  const writes = operatorRows.filter(([, { method }]) => method !== "GET");
  for (const [name, { proof }] of writes)
    if (proof) expect([name, await codeOf(name)]).toEqual([name, "proof_required"]);
  const unproved = writes.filter(([, { proof }]) => !proof).map(([name]) => name);
  expect(unproved).toEqual([
    "makeDueInvoices",
    "auditLedger",
    "previewPrice",
    "checkTask",
    "sweepLedger",
    "attendPayment",
    "setUpstreamAlarm",
  ]);
  own.session.isProved = true;
  expect(await own.site.dump()).toEqual(before);
});

test("a channel is added, tested, changed, drained and removed, and no answer contains its credential", async () => {
  const routes = pageHandlers(own.host);
  const fresh = {
    name: "main",
    protocol: "openai",
    baseUrl: `${upstream.url}/v1`,
    apiKey: "upstream-canary",
    models: { "relay-v1": "theirs" },
  };
  const { status, json } = await own.call(routes.createChannel, { body: fresh });
  expect([status, json.channel]).toMatchObject([
    201,
    { models: { RelayV1: "theirs" }, hasApiKey: true, state: "active" },
  ]);
  const { id } = json.channel;
  expect(
    (await own.call(routes.createChannel, { body: { ...fresh, secret: 1 } })).json.error.code,
  ).toBe("unknown_parameter");
  expect((await own.call(routes.createChannel, { body: fresh })).json.error).toMatchObject({
    code: "already_exists",
    param: "name",
  });
  const tried = await own.call(routes.testChannel, {
    id,
    body: { model: "RelayV1", isReal: false },
  });
  expect(tried.json).toMatchObject({
    stage: "answered",
    upstreamModel: "theirs",
    usage: { inputTokens: 7, outputTokens: 1 },
    failure: null,
  });
  const changed = await own.call(routes.changeChannel, {
    id,
    body: { priority: 3, timeoutSeconds: 9 },
    method: "PATCH",
  });
  expect(changed.json.channel).toMatchObject({ priority: 3, timeoutSeconds: 9, weight: 1 });
  const terms = { allowedFields: ["thinking", "temperature", "thinking"], outputCap: "none" };
  const allowed = await own.call(routes.changeChannel, { id, body: terms, method: "PATCH" });
  expect(allowed.json.channel).toMatchObject({
    allowedFields: ["thinking"],
    outputCap: "none",
    priority: 3,
  });
  for (const name of ["n", "max_tokens", "num_return_sequences", "a.b", "web_search_options"]) {
    const { json: refused } = await own.call(routes.changeChannel, {
      id,
      body: { allowedFields: [name] },
      method: "PATCH",
    });
    expect(refused.error, name).toMatchObject({ code: "invalid_value", param: "allowed_fields" });
  }
  expect(
    (await own.call(routes.changeChannel, { id, body: { weight: 0 }, method: "PATCH" })).json.error,
  ).toMatchObject({ param: "weight" });
  expect((await own.call(routes.removeChannel, { id, method: "DELETE" })).json.error.code).toBe(
    "invalid_value",
  );
  expect(
    (await own.call(routes.setChannelState, { id, body: { state: "draining" } })).json.channel
      .state,
  ).toBe("draining");
  const list = await own.call(routes.listChannels);
  expect(list.json.channels).toMatchObject([
    { id, health: { inFlight: 0, openTasks: 0, last15Minutes: { succeeded: 0 } } },
  ]);
  expect((await own.call(routes.removeChannel, { id, method: "DELETE" })).json).toEqual({
    result: "deleted",
  });
  expect(
    (await own.call(routes.changeChannel, { id, body: {}, method: "PATCH" })).json.error.code,
  ).toBe("not_found");
  const { operator } = own;
  expect((await actions()).slice(-6)).toEqual(
    ["create", "test", "change", "change", "drain", "delete"].map(
      (verb) => `channel.${verb} ${operator.userId}`,
    ),
  );
  expect(JSON.stringify([json, tried, changed, list])).not.toContain("canary");
});

test("a price is previewed, planned, announced and withdrawn, with a margin where costs are known", async () => {
  const routes = pageHandlers(own.host);
  const preview = await own.call(routes.previewPrice, {
    body: { model: "relay-v1", output: "900" },
  });
  expect(preview.json).toMatchObject({ model: "RelayV1", requests: 0, atNew: "0.000000" });
  const effectiveAt = new Date(Date.now() + 86_400_000).toISOString();
  const set = await own.call(routes.setPrice, {
    body: { model: "RelayV1", output: "900", effectiveAt },
  });
  expect(set.json.prices[0]).toMatchObject({
    model: "RelayV1",
    present: { input: "80.000000", output: "800.000000", setBy: "system" },
    upcoming: [{ input: "80.000000", output: "900.000000", effectiveAt, setBy: "op@example.com" }],
    margins: { input: null, output: null },
  });
  const { listPrices } = await import("../queries/prices");
  expect((await listPrices(own.site.deps, null))[0]).toMatchObject({
    output: "800.000000",
    next: { input: "80.000000", output: "900.000000", effectiveAt },
  });
  await own.call(routes.noteUpstreamPrice, {
    body: { subject: "RelayV1", price: { currency: "CNY", input: "0.8", output: "2" } },
  });
  const noted = await own.call(routes.noteUpstreamPrice, {
    body: { subject: "point", price: { currency: "CNY", input: null, output: "0.01" } },
  });
  expect(noted.json).toMatchObject({ pointPrice: { currency: "CNY", amount: "0.010000" } });
  expect(noted.json.prices[0].margins).toEqual({
    input: { income: "0.800000", cost: "0.800000", percent: 0 },
    output: { income: "8.000000", cost: "2.000000", percent: 75 },
    rates: [
      expect.objectContaining({
        unit: "input_token",
        margin: expect.objectContaining({ percent: 0 }),
      }),
      expect.objectContaining({
        unit: "output_token",
        margin: expect.objectContaining({ percent: 75 }),
      }),
    ],
  });
  const { id } = set.json.prices[0].upcoming[0];
  expect(
    (await own.call(routes.withdrawPrice, { id, method: "POST" })).json.prices[0].upcoming,
  ).toEqual([]);
  expect((await own.call(routes.withdrawPrice, { id, method: "POST" })).json.error.code).toBe(
    "not_found",
  );
  expect(
    (
      await own.call(routes.setPrice, {
        body: { model: "RelayV1", output: "-1", effectiveAt: null },
      })
    ).status,
  ).toBe(400);
  const versions = await own.call(routes.listPriceVersions, { search: "?model=RelayV1" });
  expect(versions.json.versions.map(({ setBy }: { setBy: string }) => setBy)).toEqual([
    "op@example.com",
    "op@example.com",
    "system",
  ]);
});

test("a setting is set and unset with its source shown, and a notice is posted and ended", async () => {
  const routes = pageHandlers(own.host);
  const set = await own.call(routes.setLiveSetting, {
    body: { name: "welcome_points", value: "7" },
  });
  expect(set.json.settings[1]).toMatchObject({
    value: "7",
    source: "here",
    otherwise: "1000",
    updatedBy: "op@example.com",
  });
  expect(
    (await own.call(routes.setLiveSetting, { body: { name: "welcome_points", value: "many" } }))
      .json.error.param,
  ).toBe("welcome_points");
  const unset = await own.call(routes.setLiveSetting, {
    body: { name: "welcome_points", value: null },
  });
  expect(unset.json.settings[1]).toMatchObject({
    value: "1000",
    source: "default",
    updatedBy: null,
  });
  const notice = {
    level: "info",
    textEn: "<b>Hello</b>",
    textZh: "你好",
    startsAt: null,
    endsAt: null,
  };
  const posted = await own.call(routes.postNotice, { body: notice });
  expect(posted.json.notices).toMatchObject([{ textEn: "<b>Hello</b>", state: "shown" }]);
  const { id } = posted.json.notices[0];
  expect((await own.call(routes.endNotice, { id, method: "POST" })).json.notices).toMatchObject([
    { state: "ended" },
  ]);
});
