import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { request } from "./request";

const answers: Record<string, [status: number, headers: Record<string, string>, body: string]> = {
  "/good": [200, {}, '{"count":1}'],
  "/other": [200, { "x-request-id": "req_1" }, '{"count":"one"}'],
  "/refused": [
    429,
    { "retry-after": "90", "x-request-id": "req_2" },
    '{"error":{"message":"Wait.","type":"t","param":"code","code":"sign_in_rate_limited"}}',
  ],
  "/html": [502, {}, "<html>bad gateway</html>"],
};

let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    const [status, headers, body] = answers[incoming.url ?? ""] ?? [404, {}, ""];
    outgoing.writeHead(status, headers).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const schema = z.object({ count: z.number() });

describe("request()", () => {
  it("gives the answer in the shape asked for", async () => {
    expect(await request(`${base}/good`, schema)).toEqual({ count: 1 });
  });

  it("rejects an answer of another shape, with the request id", async () => {
    await expect(request(`${base}/other`, schema)).rejects.toMatchObject({ code: "unreadable", requestId: "req_1" });
  });

  it("carries what the error body says, and how long to wait", async () => {
    const refused = {
      status: 429,
      code: "sign_in_rate_limited",
      message: "Wait.",
      param: "code",
      requestId: "req_2",
      retryAfterSeconds: 90,
    };
    await expect(request(`${base}/refused`, schema)).rejects.toMatchObject(refused);
  });

  it("survives an answer that is not ours", async () => {
    await expect(request(`${base}/html`, schema)).rejects.toMatchObject({ status: 502, code: "unreadable", retryAfterSeconds: null });
  });

  it("says so when nothing answers", async () => {
    await expect(request("http://127.0.0.1:1/", schema)).rejects.toMatchObject({ code: "offline" });
  });
});
