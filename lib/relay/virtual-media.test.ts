/** Models that stand for others of images and videos: which of them serves an order, at what price. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { openPricedRelay } from "@/testing/relay/priced-relay";
import { sellModel } from "@/testing/relay/sold-model";
import { opened } from "@/testing/unit/opened";
import { replaceVirtualModels } from "../catalog/virtual-models";
import { readVirtualModels } from "../contract/virtual-rules";

const small = "acme-small";
const large = "acme-large";
const fileOf = (id: string, size: string, points: number) => ({
  id,
  family: "image",
  spec: { sizes: [size] },
  rates: [{ unit: "image", points }],
});

const site = await opened(openPricedRelay(1_000_000));
const { relay } = site;
await sellModel(relay, fileOf(small, "512x512", 1));
await sellModel(relay, fileOf(large, "1024x1024", 3));
const rules = `relay/image: family=image models=acme-*
relay/cheap: family=image models=acme-* price<=2
relay/film: family=video models=Super-Relay2.5,Super-Relay2.0 order=listed
relay/chat: models=RelayV1`;
const read = readVirtualModels(rules);
if (typeof read === "string") throw new Error(read);
replaceVirtualModels(read);
afterAll(() => replaceVirtualModels([]));

const { principal, channels } = relay.setting;
beforeEach(() => Object.assign(relay.setting, { principal, channels }));

const post = (path: string, body: object, headers = {}) =>
  relay.send(path, { body: JSON.stringify({ prompt: "A fox", ...body }), headers });
const image = (body: object, headers = {}) =>
  post("/v1/images/generations", { model: "relay/image", ...body }, headers);
const servedBy = async (answer: ReturnType<typeof image>) => {
  const { status, headers, json } = await answer;
  return [status, headers.get("x-relay-model"), json.model];
};
const lastEnd = async () => {
  const { rows } = await relay.pool.query(
    "select model, amount::int as amount from request order by created_at desc, id desc limit 1",
  );
  return rows[0];
};

test("an image comes from the cheapest model that the order fits, at its price", async () => {
  expect(await servedBy(image({}))).toEqual([200, small, small]);
  await relay.ends();
  expect(await lastEnd()).toEqual({ model: small, amount: 1_000_000 });
  expect(await servedBy(image({ size: "1024x1024" }))).toEqual([200, large, large]);
  await relay.ends();
  expect(await lastEnd()).toEqual({ model: large, amount: 3_000_000 });
  const { status, json } = await image({ size: "2048x2048" });
  expect([status, json.error?.param]).toEqual([400, "size"]);
  const dear = await image({ model: "relay/cheap", size: "1024x1024" });
  expect([dear.status, dear.json.error?.param]).toEqual([400, "size"]);
});

test("a model without a price, and one that the key may not use, are passed over", async () => {
  const { versions } = relay.setting;
  const version = versions.get(small);
  if (version === undefined) throw new Error("it is sold");
  versions.delete(small);
  expect(await servedBy(image({}))).toEqual([200, large, large]);
  versions.set(small, version);
  relay.setting.principal = { ...principal, models: [large] };
  expect(await servedBy(image({}))).toEqual([200, large, large]);
  relay.setting.principal = { ...principal, models: ["RelayV1"] };
  expect((await image({})).status).toBe(403);
});

test("one whose channels all rest or are busy is passed over before anything is held", async () => {
  relay.setting.channels = [];
  const before = await relay.balance();
  const { status, json } = await image({});
  expect([status, json.error?.code]).toEqual([503, "no_channel_available"]);
  expect(await relay.balance()).toEqual(before);
});

test("a stream, a task and a repeated order name the model that served", async () => {
  const stream = await image({ stream: true, size: "1024x1024" });
  expect(stream.text).toContain(`"model":"${large}"`);
  expect(stream.text).not.toContain("relay/image");
  expect(await servedBy(image({ async: true, size: "1024x1024" }))).toEqual([202, large, large]);
  const once = () => image({}, { "idempotency-key": "once" });
  const [one, other] = [await once(), await once()];
  expect(one.json.model).toBe(small);
  expect(other.text).toBe(one.text);
});

test("a video comes from the first model that makes it, in each style", async () => {
  const content = [{ type: "text", text: "A fox" }];
  const tasks = "/v1/contents/generations/tasks";
  const asTask = (more: object) => post(tasks, { model: "relay/film", content, ...more });
  expect(await servedBy(asTask({ resolution: "480p" }))).toEqual([
    200,
    "Super-Relay2.5",
    "Super-Relay2.5",
  ]);
  const { json, headers } = await asTask({ resolution: "1080p" });
  expect([headers.get("x-relay-model"), json.model]).toEqual(["Super-Relay2.0", "Super-Relay2.0"]);
  const known = await relay.send(`${tasks}/${json.id}`, { method: "GET" });
  expect(known.json.model).toBe("Super-Relay2.0");
  for (const path of ["/v1/videos", "/v1/videos/generations"])
    expect(await servedBy(post(path, { model: "relay/film", resolution: "1080p" }))).toEqual([
      200,
      "Super-Relay2.0",
      "Super-Relay2.0",
    ]);
});

test("a name of another family is refused, and says what it makes", async () => {
  const messages = [{ role: "user", content: "hi" }];
  for (const [path, model, words] of [
    ["/v1/chat/completions", "relay/image", "generates images"],
    ["/v1/images/generations", "relay/film", "generates videos"],
    ["/v1/videos", "relay/chat", "generates text"],
  ] as const) {
    const { status, json } = await post(path, { model, messages });
    expect([status, json.error?.param]).toEqual([400, "model"]);
    expect(json.error?.message).toContain(words);
  }
});

test("it is quoted at the dearest that may serve, and listed with what a usual request costs", async () => {
  const quote = (body: object) => post("/v1/quote", { endpoint: "createImage", ...body });
  expect((await quote({ model: "relay/image" })).json).toMatchObject({
    hold_points: 3,
    normalized: { model: large },
  });
  expect((await quote({ model: "relay/image", size: "512x512" })).json).toMatchObject({
    hold_points: 1,
    normalized: { model: small },
  });
  const film = await post("/v1/quote", {
    ...{ endpoint: "createVideo", model: "relay/film", resolution: "1080p" },
  });
  expect(film.json).toMatchObject({ normalized: { model: "Super-Relay2.0" } });
  const { json } = await relay.send("/v1/models/relay%2Fimage", { method: "GET" });
  expect(json).toMatchObject({
    family: "image",
    pricing: null,
    choice: { models: [small, large], input_min: null, usual_min: 1, usual_max: 3 },
  });
});
