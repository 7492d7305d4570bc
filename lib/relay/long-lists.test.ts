import { expect, test } from "vitest";
import { openTestRelay } from "@/testing/relay/test-relay";
import type { EndpointRow } from "../contract/endpoint";
import { endpoints } from "../contract/endpoints";
import { validate } from "../http/validate";

const rows: Record<string, EndpointRow> = endpoints;
const longList = (item: unknown) => Array(5_000_000).fill(item);

test.each([
  ["createImage", { prompt: "x", image: longList(1) }, "at most 64 items"],
  ["createImage", { prompt: "x", image: longList("a") }, "at most 64 items"],
  ["createVideo", { prompt: "x", reference_images: longList(1) }, "at most 64 items"],
  ["createVideoTask", { content: longList(1) }, "at most 64 items"],
  ["createChatCompletion", { messages: longList(1) }, "at most 4096 items"],
  [
    "createChatCompletion",
    { messages: [{ role: "user", content: longList(1) }] },
    "at most 256 items",
  ],
])("a list that is far too long is refused without parsing its items: %s", (name, body, told) => {
  const before = process.memoryUsage().heapUsed;
  expect(() =>
    validate(rows[name]?.request as never, { model: "super-relay-img", ...body }),
  ).toThrow(told);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024);
});

test("a quote refuses ten megabytes of a list, and the next request is answered", async () => {
  const relay = await openTestRelay({ channels: [] });
  try {
    await relay.balance();
    const body = `{"endpoint":"createImage","model":"super-relay-img","prompt":"x","image":[${"1,".repeat(5_000_000)}1]}`;
    const { status } = await relay.send("/v1/quote", { method: "POST", body });
    expect([400, 413]).toContain(status);
    expect((await relay.send("/v1/balance")).status).toBe(200);
  } finally {
    await relay.close();
  }
});
