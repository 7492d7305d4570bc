/** What texts ask and are answered, kept where the account chose so. */
import { beforeEach, expect, test } from "vitest";
import { keepingRelay } from "@/testing/relay/scripted-relay";
import { chunk, saying, streamType, usageChunk, usageOf } from "@/testing/upstream/test-upstream";
import { findContent } from "../../content/kept-content";
import { CONTENT_CHARACTERS_MAX } from "../../contract/limits";

const usage = usageOf(100, 20);

const setup = await keepingRelay();
const { secrets } = setup;

beforeEach(async () => {
  const { relay } = setup;
  setup.script = saying("a secret answer", usage);
  relay.setting.principal = { ...relay.setting.principal, keepsContent: true };
  await relay.pool.query("update account set content_days = 7");
});

/** What is kept of the newest request. */
async function kept() {
  const { relay } = setup;
  await relay.ends();
  await setup.flush();
  const { rows } = await relay.pool.query<{ id: string }>(
    "select id from request_known order by id desc limit 1",
  );
  const named = { operationId: rows[0]?.id ?? "", accountId: relay.accountId, reader: null };
  return findContent({ pool: relay.pool, secrets }, named);
}

const image = `data:image/png;base64,${"A".repeat(40_000)}`;

test("the body and the answer are kept as they were, encrypted and without encoded images", async () => {
  const content = [
    { type: "text", text: "a secret wish" },
    { type: "image_url", image_url: { url: image } },
  ];
  const body = { messages: [{ role: "user", content }], temperature: 0.5 };
  const answer = await setup.relay.chat(body);
  expect(answer.status).toBe(200);
  const found = await kept();
  expect(JSON.parse(found?.input ?? "")).toMatchObject({ model: "RelayV1", temperature: 0.5 });
  expect(found?.input).toContain("a secret wish");
  expect(found?.input).not.toContain("AAAA");
  expect(found?.output).toBe(answer.text);
  const { rows } = await setup.relay.pool.query("select * from request_content");
  const raw = rows.map((row) => Object.values(row).map(String).join()).join();
  expect(raw).not.toMatch(/secret/);
});

test("a stream is kept as it was sent, in each API of text", async () => {
  setup.script = (response) => {
    response.writeHead(200, streamType);
    response.write(chunk({ content: "Hel" }) + chunk({ content: "lo" }));
    response.end(`${usageChunk(usage)}data: [DONE]\n\n`);
  };
  const streamed = await setup.relay.chat({ stream: true });
  expect((await kept())?.output).toBe(streamed.text);
  for (const path of ["/v1/messages", "/v1/responses"]) {
    const asked = path.endsWith("messages")
      ? { messages: [{ role: "user", content: "hello" }], max_tokens: 50 }
      : { input: "hello", store: false };
    const body = JSON.stringify({ model: "RelayV1", stream: true, ...asked });
    const answer = await setup.relay.send(path, { body });
    const found = await kept();
    expect(found?.output, path).toBe(answer.text);
    expect(JSON.parse(found?.input ?? ""), path).toMatchObject(asked);
  }
});

test("of a failed request the input is kept, of a refused one nothing", async () => {
  setup.script = (response) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "no" } }));
  };
  expect((await setup.relay.chat()).status).toBe(400);
  const found = await kept();
  expect(found).toMatchObject({ input: expect.stringContaining("hello"), output: null });
  const before = (await setup.relay.pool.query("select from request_content")).rowCount;
  expect((await setup.relay.chat({ model: "none" })).status).toBe(404);
  await setup.flush();
  expect((await setup.relay.pool.query("select from request_content")).rowCount).toBe(before);
});

test("what is too long is not kept, and the other part is", async () => {
  const long = "x".repeat(CONTENT_CHARACTERS_MAX);
  await setup.relay.chat({ messages: [{ role: "user", content: long }] });
  expect(await kept()).toMatchObject({ input: null, output: expect.stringContaining("secret") });
  setup.script = saying(long, usage);
  await setup.relay.chat();
  expect(await kept()).toMatchObject({ input: expect.any(String), output: null });
});

test("nothing is kept where the account does not keep it, or no longer does", async () => {
  const { relay } = setup;
  await relay.pool.query("update account set content_days = null");
  await relay.chat();
  expect(await kept()).toBeNull();
  await relay.pool.query("update account set content_days = 7");
  relay.setting.principal = { ...relay.setting.principal, keepsContent: false };
  await relay.chat();
  expect(await kept()).toBeNull();
});
