import { expect, test } from "vitest";
import { startOperatorProcess } from "@/testing/pages-api/operator-process";
import { opened } from "@/testing/unit/opened";
import { completion, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { replaceCatalogue } from "../catalog/models";
import type { PageName } from "../contract/page-endpoints";
import { readCatalogue } from "../model-book/read-models";
import { pageHandlers } from "./page-handlers";

let list: unknown[] = [];
/** What the upstream answers to a chat. */
let status = 200;

const own = await opened(startOperatorProcess(), ({ site }) => site.close());
const handlers = pageHandlers(own.host);
const upstream = await opened(
  startUpstream((response, { path }) => {
    if (path.endsWith("/models")) return sendJson(response, JSON.stringify({ data: list }));
    if (status !== 200) return sendJson(response, "{}", status);
    return sendJson(response, completion("OK", { usage: usageOf(7, 1) }));
  }),
);

const call = (name: PageName, id?: string, body?: object, search = "") =>
  own.call(handlers[name], { ...(id !== undefined && { id }), ...(body && { body }), search });

/** As each process does within seconds of a change. */
const renew = async () => replaceCatalogue(await readCatalogue(own.site.deps.pool));

const fileOf = (id: string) => ({ id, family: "text", spec: { output_tokens_max: 1000 } });
const rates = [{ unit: "request", points: "2" }];

async function channelOf(name: string, model = "RelayV1"): Promise<string> {
  const { json } = await call("createChannel", undefined, {
    name,
    protocol: "openai",
    baseUrl: upstream.url,
    apiKey: "right",
    models: { [model]: "theirs" },
  });
  return json.channel.id;
}

test("a model goes from a draft to an offer, says what it lacks on the way, and each step is written down", async () => {
  const channel = await channelOf("one");
  const made = await call("createModel", undefined, fileOf("acme/one"));
  expect([made.status, made.json.needs]).toEqual([
    201,
    { hasPrice: false, gaps: [], isMapped: false, isTested: false },
  ]);
  const offer = () => call("offerModel", "acme/one", { anyway: null });
  expect((await offer()).json.error.message).toMatch(/has no rates/);
  await call("changeModel", "acme/one", { ...fileOf("acme/one"), rates });
  expect((await offer()).json.error.message).toMatch(/No active channel maps acme\/one/);
  await call("mapModel", "acme/one", { channel, upstreamModel: "theirs" });
  expect((await offer()).json.error.message).toMatch(/No test of acme\/one has worked/);
  await renew();
  await call("testChannel", channel, { model: "acme/one", isReal: false });
  const { json } = await call("showModel", "acme/one");
  expect(json).toMatchObject({
    model: { state: "draft", version: 1, channels: 1 },
    needs: { hasPrice: true, isMapped: true, isTested: true },
    mappings: [{ name: "one", upstreamModel: "theirs", test: { worked: true } }],
  });
  expect((await offer()).json.model).toMatchObject({ state: "offered" });
  const { actions } = (await call("listActions", undefined, undefined, "?subject=acme/one")).json;
  expect(actions.map(({ action }: { action: string }) => action)).toEqual([
    "model.offer",
    "model.change",
    "model.create",
  ]);
});

test("only the newest test counts, and none from before the channel's key was changed", async () => {
  const channel = await channelOf("two");
  await call("createModel", undefined, { ...fileOf("acme-two"), rates });
  await call("mapModel", "acme-two", { channel, upstreamModel: "theirs" });
  const trial = () => call("testChannel", channel, { model: "acme-two", isReal: false });
  await renew();
  const isTested = async () => (await call("showModel", "acme-two")).json.needs.isTested;
  await trial();
  expect(await isTested()).toBe(true);
  status = 401;
  await trial();
  status = 200;
  expect(await isTested()).toBe(false);
  await trial();
  expect(await isTested()).toBe(true);
  await own.call(handlers.changeChannel, { id: channel, body: { apiKey: "new" }, method: "PATCH" });
  expect(await isTested()).toBe(false);
  await trial();
  await call("mapModel", "acme-two", { channel, upstreamModel: "another" });
  expect(await isTested()).toBe(false);
});

test("a channel keeps its other models when one is mapped at once with another, and never loses its last", async () => {
  const channel = await channelOf("three");
  await call("createModel", undefined, fileOf("acme-three"));
  await call("createModel", undefined, fileOf("acme-four"));
  await Promise.all(
    ["acme-three", "acme-four"].map((id) => call("mapModel", id, { channel, upstreamModel: id })),
  );
  const models = async () =>
    (await own.site.deps.database.channel.findUniqueOrThrow({ where: { id: channel } })).models;
  expect(await models()).toEqual({
    RelayV1: "theirs",
    "acme-three": "acme-three",
    "acme-four": "acme-four",
  });
  for (const id of ["acme-three", "acme-four"])
    await call("mapModel", id, { channel, upstreamModel: null });
  const last = await call("mapModel", "RelayV1", { channel, upstreamModel: null });
  expect(last.json.error).toMatchObject({ param: "models", message: /at least one model/ });
  const spaced = await call("mapModel", "acme-four", { channel, upstreamModel: "two words" });
  expect(spaced.json.error.message).toMatch(/without spaces/);
  const none = await call("mapModel", "acme-four", { channel: "none", upstreamModel: "x" });
  expect(none.json.error.code).toBe("not_found");
});

test("the list is searched by words, family and state, a page at a time", async () => {
  const found = async (search: string) => {
    const { models, count, pages } = (await call("listCatalogue", undefined, undefined, search))
      .json;
    return { ids: models.map(({ id }: { id: string }) => id), count, pages };
  };
  expect(await found("?q=acme+THREE")).toEqual({ ids: ["acme-three"], count: 1, pages: 1 });
  expect((await found("?q=super-relay-img")).ids).toEqual(["Super-Relay-Image"]);
  expect((await found("?family=image")).ids).toEqual(["Super-Relay-Image"]);
  expect((await found("?state=draft&q=three")).count).toBe(1);
  expect(await found("?state=retired")).toEqual({ ids: [], count: 0, pages: 1 });
  expect((await found("?page=9")).ids).toContain("RelayV1");
  for (const search of ["?family=sound", "?page=0", `?q=${"x".repeat(201)}`])
    expect((await call("listCatalogue", undefined, undefined, search)).status).toBe(400);
});

test("models are imported from an upstream's list at its price and a margin, all or none", async () => {
  const priced = { rates: [{ unit: "request", points: 2 }] };
  list = [
    { id: "their/large", context_length: 4096, pricing: priced },
    { id: "their/bare", context_length: 4096 },
    7,
  ];
  const channel = await channelOf("four");
  const { models } = (await call("listUpstreamModels", channel)).json;
  expect(models).toEqual([
    { upstreamModel: "their/large", family: "text", hasPrice: true },
    { upstreamModel: "their/bare", family: "text", hasPrice: false },
  ]);
  const take = (ids: Record<string, string>, more: object = {}) =>
    call("importModels", channel, {
      models: Object.entries(ids).map(([id, upstreamModel]) => ({ id, upstreamModel })),
      margin: "50",
      price: null,
      ...more,
    });
  const refused = await take({ "in-large": "their/large", RelayV1: "their/bare" });
  expect(refused.json.error).toMatchObject({ code: "already_exists", param: "id" });
  expect((await call("showModel", "in-large")).json.error.code).toBe("model_not_found");
  expect((await take({ x: "none" })).json.error.message).toMatch(/does not list/);
  expect((await take({ x: "their/bare" }, { margin: "10000" })).json.error.param).toBe("margin");
  const { json } = await take({ "in-large": "their/large" });
  expect(json.models).toMatchObject([
    { id: "in-large", state: "draft", channels: 1, rates: [{ points: "3.000000" }] },
  ]);
});

test("a wrong file is refused by the name of what is wrong, and an unknown model is not found", async () => {
  const wrong: [object, string][] = [
    [{ ...fileOf("a b") }, "id"],
    [{ ...fileOf("acme-x"), spec: { output_tokens_max: 0 } }, "spec.output_tokens_max"],
    [{ ...fileOf("acme-x"), spec: { output_tokens_max: 1, x: 1 } }, "spec"],
    [{ ...fileOf("acme-x"), family: "sound" }, "family"],
    [{ ...fileOf("acme-x"), rates: [{ unit: "second", points: "1" }] }, "rates[0]"],
    [{ ...fileOf("acme-x"), aliases: Array(9).fill("a") }, "aliases"],
  ];
  for (const [file, param] of wrong) {
    const { json } = await call("createModel", undefined, file);
    expect([param, json.error?.param]).toEqual([param, param]);
  }
  for (const name of ["showModel", "offerModel", "retireModel"] as const) {
    const body = { offerModel: { anyway: null }, retireModel: { on: null, replacedBy: null } };
    const sent = name === "showModel" ? undefined : body[name];
    expect((await call(name, "none", sent)).json.error.code).toBe("model_not_found");
  }
});
