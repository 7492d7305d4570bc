/** Tests that Node's lane and the web lane serve the same endpoints with the same answers. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { endpoints } from "@/lib/contract/endpoints";
import { pngOf } from "@/testing/media/files";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";

const sandbox = await opened(startQuickSandbox());
const relay = await opened(openTestRelay({ channels: [sandbox.channel] }));
const web = await opened(serveFind(relay.find));

const chat = (body: object) => ({
  method: "POST",
  body: JSON.stringify({ model: "relay-v1", messages: [{ role: "user", content: "hi" }], ...body }),
});
const json = { authorization: "Bearer good", "content-type": "application/json" };

const formInit = {
  method: "POST",
  headers: { "content-type": "multipart/form-data; boundary=b" },
  body: '--b\r\ncontent-disposition: form-data; name="mask"; filename="a"\r\n\r\nno image\r\n--b--\r\n',
};

const requests: [string, string, RequestInit][] = [
  ["a completion", "/v1/chat/completions", chat({})],
  [
    "a stream",
    "/v1/chat/completions",
    chat({ stream: true, stream_options: { include_usage: true } }),
  ],
  [
    "an upstream's failure",
    "/v1/chat/completions",
    chat({ messages: [{ role: "user", content: "[[fail]]" }] }),
  ],
  [
    "a stream that breaks off",
    "/v1/chat/completions",
    chat({ stream: true, messages: [{ role: "user", content: "[[truncate]]" }] }),
  ],
  ["a bad body", "/v1/chat/completions", { method: "POST", body: "{" }],
  ["an empty body", "/v1/chat/completions", { method: "POST" }],
  [
    "a body of four mebibytes and a byte",
    "/v1/chat/completions",
    { method: "POST", body: " ".repeat(4 * 1024 * 1024 + 1) },
  ],
  [
    "a wrong type",
    "/v1/chat/completions",
    { ...chat({}), headers: { "content-type": "text/plain" } },
  ],
  ["no key", "/v1/models", { headers: { authorization: "" } }],
  ["a bad key", "/v1/models", { headers: { authorization: "Bearer bad" } }],
  ["the models", "/v1/models", {}],
  ["a model", "/v1/models/super-relay-2", {}],
  ["no such model", "/v1/models/none", {}],
  ["a query", "/v1/models?limit=5", {}],
  ["no such address", "/v1/nothing", {}],
  ["a slash too many", "/v1/models/", {}],
  ["a path without its beginning", "/chat/completions", { method: "POST", body: "{}" }],
  ["an edit of a video", "/v1/videos/cgt-0/remix", { method: "POST", body: "{}" }],
  ["videos", "/v1/videos?limit=2", {}],
  ["no such video", "/v1/videos/cgt-0/content", {}],
  ["a form", "/v1/images/edits", formInit],
  ["a form that ends early", "/v1/videos", { ...formInit, body: formInit.body.slice(0, 70) }],
  ["a wrong method", "/v1/models", { method: "PUT", body: "{}" }],
  ["a head", "/v1/models", { method: "HEAD" }],
  ["a file without a signature", "/v1/media/media_0.png", {}],
  [
    "a quote",
    "/v1/quote",
    {
      method: "POST",
      body: '{"endpoint":"createChatCompletion","model":"relay-v1","messages":[{"role":"user","content":"hi"}]}',
    },
  ],
  ["the balance", "/v1/balance", {}],
  ["the usage", "/v1/usage?from=2026-01-01&to=2026-01-31", {}],
  ["the usage as a table", "/v1/usage?group_by=key", { headers: { accept: "text/csv" } }],
  ["the key", "/v1/key", {}],
  [
    "a bad idempotency key",
    "/v1/chat/completions",
    { ...chat({}), headers: { "idempotency-key": "a".repeat(256) } },
  ],
  ["the API's description", "/openapi.json", {}],
  ["health", "/healthz", {}],
  ["readiness", "/readyz", {}],
];

/** Replaces what differs between requests. */
function leveled(status: number, headers: Headers, text: string) {
  const kept = Object.fromEntries(
    [...headers].filter(
      ([name]) =>
        ![
          "date",
          "connection",
          "keep-alive",
          "transfer-encoding",
          "content-length",
          "x-ratelimit-remaining-requests",
          "x-ratelimit-reset-requests",
        ].includes(name),
    ),
  );
  const body = text
    .replace(/chatcmpl-[0-9a-f]{32}/g, "chatcmpl-x")
    .replace(/"created":\d+/g, '"created":0');
  return {
    status,
    headers: { ...kept, "x-request-id": kept["x-request-id"]?.replace(/^req_.*/, "req") },
    body,
  };
}

test.each(requests)("both lanes give the same answer to %s", async (_, path, init) => {
  // Node's own client would ask for a compressed answer.
  const plain = { "accept-encoding": "identity" };
  const headers = { ...json, ...plain, ...(init.headers as Record<string, string>) };
  const { port } = web;
  const node = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
  const fast = leveled(node.status, node.headers, await node.text());
  const other = await relay.fetch(path, { method: "GET", ...init, headers });
  expect(fast).toEqual(leveled(other.status, other.headers, await other.text()));
});

test.each(["GET", "HEAD"])(
  "both lanes give the same file, complete and in part, to %s",
  async (method) => {
    const { file } = await relay.media.keep("image", pngOf(640, 480, 700_000), relay.accountId);
    const link = new URL(relay.media.link(file, new Date(Date.now() + 60_000)));
    const { port } = web;
    for (const range of ["bytes=0-", "bytes=300000-600000", "bytes=9999999-", "none"]) {
      const init = { method, headers: { range } };
      const node = await fetch(`http://127.0.0.1:${port}${link.pathname}${link.search}`, init);
      const other = await relay.fetch(link.pathname + link.search, {
        ...init,
        headers: { ...init.headers, authorization: "" },
      });
      expect(node.headers.get("content-length")).toBe(
        other.headers.get("content-length") ?? node.headers.get("content-length"),
      );
      const fast = leveled(
        node.status,
        node.headers,
        Buffer.from(await node.arrayBuffer()).toString("hex"),
      );
      expect(fast).toEqual(
        leveled(
          other.status,
          other.headers,
          Buffer.from(await other.arrayBuffer()).toString("hex"),
        ),
      );
    }
  },
);

const project = join(import.meta.dirname, "..");
const routeFile = (path: string) =>
  join(
    project,
    "app",
    ...path
      .split("/")
      .filter(Boolean)
      .map((step) => step.replace(/^\{(.*)\}$/, "[$1]")),
    "route.ts",
  );

test("every endpoint has a route file, every route file of the relay has an endpoint, and none contains logic", () => {
  const paths = Object.values(endpoints).map(({ path }) => path);
  for (const path of paths) expect(existsSync(routeFile(path)), path).toBe(true);
  const files = ["v1", "healthz", "readyz", "openapi.json"].flatMap((folder) =>
    readdirSync(join(project, "app", folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("route.ts"))
      .map((file) => join(project, "app", folder, file)),
  );
  const refusing = [routeFile("/v1"), join(project, "app/v1/[...path]/route.ts")];
  expect(files.sort()).toEqual([...new Set(paths.map(routeFile)), ...refusing].sort());
  for (const file of files)
    expect(readFileSync(file, "utf8").trim().split("\n").length).toBeLessThanOrEqual(14);
});

test("every endpoint says who may call it, what it charges, and how large its body may be", () => {
  const open = (Object.values(endpoints) as EndpointRow[]).filter(({ admits }) =>
    admits.includes("anyone"),
  );
  // A file's signed address is its own credential.
  expect(open.map(({ path }) => path).sort()).toEqual([
    "/healthz",
    "/openapi.json",
    "/readyz",
    "/v1/media/{file}",
    "/v1/openapi.json",
  ]);
  for (const row of Object.values(endpoints)) {
    const isFree = [
      "/v1/quote",
      "/v1/messages/count_tokens",
      "/v1/responses/{id}/cancel",
      "/v1/keys",
      "/v1/invitations",
    ].includes(row.path);
    expect(row.billing === "generation").toBe(row.method === "POST" && !isFree);
    expect(row.bodyBytesMax > 0).toBe(row.request !== null);
  }
});

const post = (body: object): RequestInit => ({ method: "POST", body: JSON.stringify(body) });
const smallest: Readonly<Record<string, RequestInit>> = {
  createChatCompletion: chat({}),
  createMessage: post({
    model: "relay-v1",
    max_tokens: 9,
    messages: [{ role: "user", content: "hi" }],
  }),
  createResponse: post({ model: "relay-v1", input: "hi", max_output_tokens: 9 }),
  compactResponse: post({ model: "relay-v1", input: "hi" }),
  createImage: post({ model: "super-relay-img", prompt: "A fox" }),
  createImageEdit: post({
    model: "super-relay-img",
    prompt: "A fox",
    image: "https://a.example/1.png",
  }),
  createVideoJob: post({ model: "super-relay", prompt: "A fox" }),
  createVideo: post({ model: "super-relay", prompt: "A fox" }),
  createVideoTask: post({ model: "super-relay", content: [{ type: "text", text: "A fox" }] }),
};

test("every charging endpoint refuses an account without points and sends nothing upstream", async () => {
  const poor = await openTestRelay({ channels: [sandbox.channel], points: "0" });
  const { seen } = sandbox.requestLog;
  for (const row of Object.values(endpoints).filter(({ billing }) => billing === "generation")) {
    expect((await poor.send(row.path, smallest[row.name])).status, row.name).toBe(402);
  }
  expect(sandbox.requestLog.seen).toBe(seen);
  await poor.close();
});
