/** The official client of the Model Context Protocol, unmodified, against the running server. */
import { Client, type Progress, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeEach, expect, test } from "vitest";
import { mcpInCursor } from "@/lib/docs/mcp-clients";
import { serveRelay } from "@/testing/relay/served-relay";
import { sellModel } from "@/testing/relay/sold-model";
import { opened } from "@/testing/unit/opened";

const served = await opened(serveRelay());
const { relay, origin } = served;
/** The operations before the test. */
let known = 0;

async function connected(key = "good", options = {}): Promise<Client> {
  const made = new Client({ name: "test", version: "1" }, options);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await made.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
  return made;
}

const client = await opened(connected());
beforeEach(async () => {
  known = (await relay.ends()).length;
});

const call = (name: string, given: object = {}) =>
  client.callTool({ name, arguments: { ...given } });
const fox = { model: "super-relay-img", prompt: "A fox", size: "512x512" };
const boat = { model: "super-relay", prompt: "A boat", resolution: "480p", duration: 3 };

const frame = "https://pictures.example/boat.png";

const newEnds = async () => (await relay.ends()).slice(known);
const dialects = async () =>
  (
    await relay.pool.query<{ dialect: string | null }>(
      "select dialect from request_known order by id offset $1",
      [known],
    )
  ).rows.map(({ dialect }) => dialect);

test("the client finds the tools, with schemas that name every argument", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "generate_image",
    "generate_video",
    "get_video",
    "get_image",
    "list_models",
    "quote",
    "get_balance",
  ]);
  for (const { description, inputSchema } of tools) {
    expect(description).toMatch(/\w\.$/);
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
  }
  expect(tools[0]?.inputSchema.required).toEqual(["prompt"]);
});

test("a call without a model takes the only one of its family, and is told which there are of several", async () => {
  const { principal } = relay.setting;
  relay.setting.principal = { ...principal, models: ["Super-Relay-Image", "Super-Relay"] };
  const { model: _, ...unnamed } = fox;
  expect((await call("generate_image", unnamed)).isError).toBeFalsy();
  expect((await call("quote", { tool: "generate_video", prompt: "A boat" })).isError).toBeFalsy();
  relay.setting.principal = { ...principal, models: ["Super-Relay", "Super-Relay2.0"] };
  expect(await call("generate_video", { prompt: "A boat" })).toMatchObject({
    isError: true,
    structuredContent: {
      error: { param: "model", message: expect.stringContaining("Super-Relay, Super-Relay2.0") },
    },
  });
  relay.setting.principal = principal;
  expect(await newEnds()).toHaveLength(1);
});

test("the settings of the guide lead to the tools", async () => {
  const { url, headers } = JSON.parse(mcpInCursor({ origin, baseUrl: "" }).code).mcpServers.relay;
  const authorization = headers.Authorization.replace(/\$\{env:RELAY_API_KEY\}$/, "good");
  const other = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization } };
  await other.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  expect((await other.listTools()).tools).toHaveLength(7);
  await other.close();
});

test("an image: a link, the picture, the points, one charge in this dialect", async () => {
  const { content, structuredContent, isError } = await call("generate_image", fox);
  expect(isError).toBeFalsy();
  expect(structuredContent).toMatchObject({
    data: [{ url: expect.stringContaining(`${origin}/v1/media/`), size: "512x512" }],
    points: expect.any(Number),
  });
  const [text, picture] = content;
  expect(text?.type === "text" && JSON.parse(text.text)).toEqual(structuredContent);
  expect(picture).toMatchObject({ type: "image", mimeType: "image/png" });
  const bytes = Buffer.from(picture?.type === "image" ? picture.data : "", "base64");
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect(await newEnds()).toMatchObject([{ outcome: "settled" }]);
  expect(await dialects()).toEqual(["mcp"]);
});

test("an image that the agent does not wait for: its id at once, then the picture", async () => {
  const ordered = await call("generate_image", { ...fox, async: true });
  const { id, status } = ordered.structuredContent as { id: string; status: string };
  expect([ordered.isError ?? false, status]).toEqual([false, "queued"]);
  const made = await call("get_image", { id, wait_seconds: 30 });
  expect(made.structuredContent).toMatchObject({
    id,
    status: "succeeded",
    data: [{ url: expect.stringContaining(`${origin}/v1/media/`), size: "512x512" }],
  });
  expect(made.content[1]).toMatchObject({ type: "image", mimeType: "image/png" });
  expect(await newEnds()).toMatchObject([{ outcome: "settled" }]);
  expect(await dialects()).toEqual(["mcp"]);
});

test("with the same idempotency_key an order is not charged again, and another order is refused", async () => {
  const order = { ...fox, idempotency_key: "mine-1" };
  const [first, second] = [
    await call("generate_image", order),
    await call("generate_image", order),
  ];
  expect(second.structuredContent).toEqual(first.structuredContent);
  expect(await newEnds()).toHaveLength(1);
  const other = await call("generate_image", { ...order, prompt: "A hare" });
  expect(other).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "idempotency_key_reused" } },
  });
});

test("a video: its task at once, then the video when it is ready, with progress", async () => {
  const notes: Progress[] = [];
  const onprogress = (note: Progress) => void notes.push(note);
  const ordered = await client.callTool(
    { name: "generate_video", arguments: { ...boat } },
    { onprogress },
  );
  const { id } = ordered.structuredContent as { id: string };
  expect(id).toMatch(/^cgt-/);
  expect(notes).toEqual([{ progress: 0, message: "The video is being ordered." }]);
  const made = await client.callTool(
    { name: "get_video", arguments: { id, wait_seconds: 30 } },
    { onprogress },
  );
  expect(made.structuredContent).toMatchObject({
    id,
    status: "succeeded",
    content: { video_url: expect.stringContaining(".mp4") },
  });
  expect(notes.at(-1)?.message).toBe("The video is being made.");
  expect(await newEnds()).toMatchObject([{ outcome: "settled" }]);
  expect(await dialects()).toEqual(["mcp"]);
});

test("what is free charges nothing: models, a quote, the balance", async () => {
  const listed = await call("list_models", { family: "image" });
  expect(listed.structuredContent).toMatchObject({
    data: [{ id: "Super-Relay-Image", pricing: { output: expect.any(Number) } }],
  });
  const quoted = await call("quote", { tool: "generate_video", ...boat });
  expect(quoted.structuredContent).toMatchObject({
    hold_points: expect.any(Number),
    normalized: { duration: expect.any(Number) },
  });
  const { available } = await relay.balance();
  expect((await call("get_balance")).structuredContent).toEqual({
    available_points: Number(available) / 1e6,
    held_points: 0,
  });
  expect(await newEnds()).toEqual([]);
});

test("what a tool refuses is a result that a model can read", async () => {
  const cases: [name: string, given: object, code: string, param: string | null][] = [
    ["generate_image", { model: "super-relay-img" }, "missing_required_parameter", "prompt"],
    ["generate_image", { ...fox, size: "1x1" }, "unsupported_value", "size"],
    ["generate_image", { ...fox, colour: "red" }, "unknown_parameter", null],
    ["generate_image", { ...fox, model: "gpt-4" }, "model_not_found", "model"],
    ["generate_image", { ...fox, quality: "ultra" }, "unsupported_value", "quality"],
    ["generate_video", { ...boat, last_frame_url: frame }, "unsupported_value", "content[1].role"],
    ["generate_video", { ...boat, duration: "long" }, "invalid_value", "duration"],
    ["get_video", { id: "cgt-nothing" }, "task_not_found", null],
    ["get_image", { id: "cgt-nothing" }, "task_not_found", null],
    ["get_video", { id: "../../v1/balance" }, "task_not_found", null],
    ["get_video", { id: "cgt-1", wait_seconds: 1e9 }, "invalid_value", "wait_seconds"],
    ["list_models", { family: "sound" }, "invalid_value", "family"],
    ["quote", { tool: "get_balance", ...fox }, "invalid_value", "tool"],
  ];
  for (const [name, given, code, param] of cases)
    expect(await call(name, given), `${name} ${code}`).toMatchObject({
      isError: true,
      structuredContent: { error: { code, ...(param === null ? {} : { param }) } },
    });
  await expect(call("drop_tables")).rejects.toThrow(/There is no tool "drop_tables"/);
  expect(await newEnds()).toEqual([]);
});

test("another account's task is the same as none", async () => {
  const ordered = await call("generate_video", boat);
  const other = await connected("other");
  const seen = async (id: unknown) =>
    other.callTool({ name: "get_video", arguments: { id, wait_seconds: 1 } });
  const { id } = ordered.structuredContent as { id: string };
  expect(await seen(id)).toEqual(await seen("cgt-nothing"));
  await other.close();
  await expect.poll(newEnds, { timeout: 10_000 }).toHaveLength(1);
});

test("a key's models, its rate limit and an empty account count as in any request", async () => {
  const { principal } = relay.setting;
  relay.setting.principal = { ...principal, models: ["RelayV1"] };
  expect(await call("generate_image", fox)).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "model_not_allowed" } },
  });
  relay.setting.principal = { ...principal, rateSubject: "slow", requestsPerMinute: 1 };
  expect((await call("get_balance")).isError).toBeFalsy();
  expect(await call("generate_image", fox)).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "key_rate_limited" } },
  });
  relay.setting.principal = principal;
  expect(await newEnds()).toEqual([]);
});

test("a quality and a last frame, where a model has them, are ordered and billed", async () => {
  const image = {
    id: "acme-mcp-image",
    family: "image",
    spec: { sizes: ["512x512"], qualities: ["standard", "high"] },
    rates: ["standard", "high"].map((quality, at) => ({ unit: "image", quality, points: at + 7 })),
  };
  const video = {
    id: "acme-mcp-video",
    family: "video",
    spec: { durations: [4], resolutions: ["480p"], last_frame: true },
    rates: [{ unit: "second", points: 2 }],
  };
  await sellModel(relay, image);
  await sellModel(relay, video);
  const order = { model: image.id, prompt: "A fox", quality: "high" };
  const quoted = await call("quote", { tool: "generate_image", ...order });
  expect(quoted.structuredContent).toMatchObject({
    hold_points: 8,
    normalized: { quality: "high" },
  });
  expect(await call("generate_image", order)).toMatchObject({ structuredContent: { points: 8 } });
  const frames = { first_frame_url: frame, last_frame_url: frame };
  const clip = { model: video.id, prompt: "A boat", ...frames };
  const held = await call("quote", { tool: "generate_video", ...clip });
  expect(held.structuredContent).toMatchObject({ hold_points: 8, normalized: { duration: 4 } });
  expect((await call("generate_video", clip)).isError).toBeFalsy();
  const billed = async () => (await newEnds()).filter(({ held }) => held === 8_000_000);
  await expect.poll(billed, { timeout: 20_000 }).toHaveLength(2);
  expect(await billed()).toMatchObject([{ amount: 8_000_000 }, { amount: 8_000_000 }]);
});

test("a bad key is refused when the client connects, and says so", async () => {
  await expect(connected("bad")).rejects.toThrow(/401|invalid/i);
});
