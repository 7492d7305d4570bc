import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { documentAnswer } from "./document-answer";
import type { Incoming } from "./exchange";

const incomingWith = (headers: Record<string, string>): Incoming => ({
  method: "GET",
  path: "/openapi.json",
  query: "",
  header: (name) => headers[name],
  receive: async () => {},
  onGone: () => {},
});

test("a document is encoded once, compressed for those who take it, and not sent to those who have it", async () => {
  let text = '{"openapi":"3.1.1"}';
  const answer = documentAnswer(() => text);
  const ask = (headers: Record<string, string> = {}) =>
    answer({ headers: {}, incoming: incomingWith(headers) });
  const plain = await ask();
  expect(Buffer.from(plain.body as Uint8Array).toString()).toBe(text);
  expect((await ask()).body).toBe(plain.body);
  const compressed = await ask({ "accept-encoding": "br;q=1.0, gzip;q=0.8" });
  expect(compressed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(compressed.body as Uint8Array).toString()).toBe(text);
  expect((await ask({ "accept-encoding": "gzip" })).body).toBe(compressed.body);
  const { etag = "" } = plain.headers;
  const known = await ask({ "if-none-match": `"other", ${etag}` });
  expect([known.status, known.body, known.headers.etag]).toEqual([304, null, etag]);
  text = '{"openapi":"3.1.2"}';
  const changed = await ask({ "if-none-match": etag });
  expect(changed.status).toBe(200);
  expect(Buffer.from(changed.body as Uint8Array).toString()).toBe(text);
});
