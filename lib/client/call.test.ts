import { describe, expect, it } from "vitest";
import { z } from "zod";
import { opened } from "@/testing/unit/opened";
import { startUpstream } from "@/testing/upstream/test-upstream";
import type { Callable } from "../contract/page-endpoint";
import { addressOf, ask, call, onProofWanted } from "./call";

const answers: Record<string, [status: number, headers: Record<string, string>, body: string]> = {
  "/good": [200, {}, '{"count":1}'],
  "/other": [200, { "x-request-id": "req_1" }, '{"count":"one"}'],
  "/refused": [
    429,
    { "retry-after": "90", "x-request-id": "req_2" },
    '{"error":{"message":"Wait.","type":"t","param":"code","code":"sign_in_rate_limited"}}',
  ],
  "/proof": [403, {}, '{"error":{"message":"m","type":"t","param":null,"code":"proof_required"}}'],
  "/unproved": [
    403,
    {},
    '{"error":{"message":"m","type":"t","param":null,"code":"proof_required"}}',
  ],
  "/html": [502, {}, "<html>bad gateway</html>"],
};

const server = await opened(
  startUpstream((response, { path }) => {
    const [status, headers, body] = answers[path] ?? [404, {}, ""];
    response.writeHead(status, headers).end(body);
  }),
);
const base = server.url;

const answer = z.object({ count: z.number() });
const row = (path: string) => ({ method: "GET", path: `${base}${path}`, answer }) as const;

describe("call()", () => {
  it("returns the answer in the row's shape", async () => {
    expect(await call(row("/good"), {})).toEqual({ count: 1 });
  });

  it("rejects an answer of another shape, with the request id", async () => {
    await expect(call(row("/other"), {})).rejects.toMatchObject({
      code: "unreadable",
      requestId: "req_1",
    });
  });

  it("carries the code, message and wait of the error body", async () => {
    const refused = {
      status: 429,
      code: "sign_in_rate_limited",
      message: "Wait.",
      param: "code",
      requestId: "req_2",
      retryAfterSeconds: 90,
    };
    await expect(call(row("/refused"), {})).rejects.toMatchObject(refused);
    await expect(ask(row("/refused"), {})).rejects.toMatchObject(refused);
  });

  it("handles an error body that is not ours", async () => {
    await expect(call(row("/html"), {})).rejects.toMatchObject({
      status: 502,
      code: "unreadable",
      retryAfterSeconds: null,
    });
  });

  it("throws `offline` when nothing answers", async () => {
    await expect(call({ ...row(""), path: "http://127.0.0.1:1/" }, {})).rejects.toMatchObject({
      code: "offline",
    });
  });

  it("asks for the password where the row requires a recent one, and repeats the request afterwards", async () => {
    const proving = {
      ...row("/proof"),
      method: "POST",
      proof: "recent",
    } as const satisfies Callable;
    await expect(call(proving, {})).rejects.toMatchObject({ code: "proof_required" });
    onProofWanted(async () => {
      answers["/proof"] = [200, {}, '{"count":2}'];
      return true;
    });
    await expect(call(row("/unproved"), {})).rejects.toMatchObject({ code: "proof_required" });
    expect(await call(proving, {})).toEqual({ count: 2 });
  });
});

describe("addressOf()", () => {
  const listed = {
    method: "GET",
    path: "/x/{id}/y",
    query: z.object({ q: z.string().optional(), from: z.string() }),
    answer,
  } as const;

  it("fills in the id and the query parameters that are set", () => {
    expect(addressOf(listed, { id: "a/b", query: { q: "ä b", from: "1" } })).toBe(
      "/x/a%2Fb/y?q=%C3%A4+b&from=1",
    );
    expect(addressOf(listed, { id: "a", query: { q: undefined, from: "" } })).toBe("/x/a/y");
  });
});
