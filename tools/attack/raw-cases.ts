/** Requests that no ordinary client sends. */
import { rawBodies } from "./raw-bodies";
import { closing, get, post, type RawCase } from "./raw-case";

const paths = [
  "/%ff%fe",
  "/docs/%ff%fe",
  "/docs/%",
  "/docs/%00",
  "/models/%c0%ae",
  "/v1/models/%ff",
  "/v1/models/%",
  "/v1/models/%00",
  "/v1/media/%ff",
  "/v1/contents/generations/tasks/%ff",
  "/v1/contents/generations/tasks/%00",
  "/api/keys/%ff",
  "/api/tasks/%00",
  "/api/requests/%ff",
  "/api/admin/accounts/%ff",
  "/api/auth/%ff",
  "/_next/%ff",
  "/_next/image?url=%ff&w=64&q=75",
  "/_next/static/%ff",
  "/..%2f..%2fetc%2fpasswd",
  "/v1/../../etc/passwd",
  "//v1/models",
  "//evil.example/%2e%2e",
  "/v1/models?%ff=%fe",
  "/v1/usage?from=%00",
  "/v1/usage?from=%ff",
  "/v1/contents/generations/tasks?filter.status=%00",
  "/v1/contents/generations/tasks?page_num=99999999999999999999",
  "/login?callbackUrl=%ff",
  "/pricing?%ff",
  `/${"a".repeat(8000)}`,
  `/docs/${"%ff".repeat(2000)}`,
  `/v1/models?${"a=b&".repeat(4000)}`,
  `/${"/".repeat(4000)}`,
];

const methods = ["TRACE", "PROPFIND", "PATCH", "PUT", "DELETE", "QUERY", "PURGE", "M-SEARCH"];

export const rawCases: readonly RawCase[] = [
  ...paths.map(
    (path): RawCase => ({ name: `GET ${path.slice(0, 60)}`, bytes: get(path), wanted: "answered" }),
  ),
  ...["/", "/v1/chat/completions", "/api/me"].flatMap((path) =>
    methods.map(
      (method): RawCase => ({
        name: `${method} ${path}`,
        bytes: get(path).replace("GET", method),
        wanted: "answered",
      }),
    ),
  ),
  ...["/", "/v1/models", "/api/me", "/healthz", "/docs/api"].map(
    (path): RawCase => ({
      name: `HEAD ${path}`,
      bytes: get(path).replace("GET", "HEAD"),
      wanted: "answered",
      isHead: true,
    }),
  ),
  ...["/", "/v1/models", "/pricing", "/v1/chat/completions"].flatMap((path) =>
    ["h2c", "websocket", "TLS/1.0", "a, b, c"].map(
      (protocol): RawCase => ({
        name: `Upgrade: ${protocol} at ${path}`,
        bytes: get(
          path,
          `upgrade: ${protocol}\r\nhttp2-settings: AAMAAABkAAQAAP__\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`,
        ).replace("connection: close", "connection: Upgrade, HTTP2-Settings"),
        wanted: "answered",
      }),
    ),
  ),
  {
    name: "OPTIONS *",
    bytes: `OPTIONS * HTTP/1.1\r\nhost: HOST\r\n${closing}\r\n`,
    wanted: "answered",
  },
  { name: "OPTIONS /", bytes: get("/").replace("GET", "OPTIONS"), wanted: "answered" },
  { name: "GET *", bytes: get("*"), wanted: "answered" },
  { name: "an absolute target", bytes: get("http://HOST/v1/models"), wanted: "answered" },
  {
    name: "an absolute target elsewhere",
    bytes: get("http://example.org/pricing"),
    wanted: "answered",
  },
  {
    name: "an absolute target that is no address",
    bytes: get("http://[::/pricing"),
    wanted: "answered",
  },
  {
    name: "CONNECT",
    bytes: `CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n`,
    wanted: "any",
  },
  { name: "HTTP/1.0", bytes: get("/v1/models", "", "HTTP/1.0"), wanted: "answered" },
  { name: "HTTP/1.0 without a host", bytes: "GET /pricing HTTP/1.0\r\n\r\n", wanted: "answered" },
  { name: "HTTP/0.9", bytes: "GET /pricing\r\n\r\n", wanted: "any" },
  { name: "HTTP/2.0 by name", bytes: get("/v1/models", "", "HTTP/2.0"), wanted: "any" },
  { name: "HTTP/9.9", bytes: get("/v1/models", "", "HTTP/9.9"), wanted: "refused" },
  { name: "the preface of HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", wanted: "refused" },
  { name: "a TLS handshake", bytes: Buffer.from("16030100a5010000a10303", "hex"), wanted: "any" },
  { name: "no host", bytes: `GET /v1/models HTTP/1.1\r\n${closing}\r\n`, wanted: "any" },
  { name: "two hosts", bytes: get("/v1/models", "host: example.org\r\n"), wanted: "any" },
  {
    name: "a host that is no name",
    bytes: get("/pricing").replace("HOST", "a b<>\\"),
    wanted: "any",
  },
  { name: "a NUL in the path", bytes: get("/v1/mod\0els"), wanted: "refused" },
  { name: "a NUL in a header", bytes: get("/v1/models", "x-a: b\0c\r\n"), wanted: "refused" },
  { name: "a blank in the path", bytes: get("/v1/mod els"), wanted: "refused" },
  {
    name: "bytes over 127 in the path",
    bytes: Buffer.from(get("/docs/\xff\xfe"), "latin1"),
    wanted: "any",
  },
  {
    name: "10,000 headers",
    bytes: get(
      "/v1/models",
      Array.from({ length: 10_000 }, (_, index) => `x-${index}: a\r\n`).join(""),
    ),
    wanted: "refused",
  },
  {
    name: "1,500 headers",
    bytes: get(
      "/v1/models",
      Array.from({ length: 1500 }, (_, index) => `x-${index}: a\r\n`).join(""),
    ),
    wanted: "any",
  },
  {
    name: "a header of 1 MiB",
    bytes: get("/v1/models", `x-a: ${"a".repeat(1 << 20)}\r\n`),
    wanted: "refused",
  },
  {
    name: "a cookie of 30 KiB",
    bytes: get("/pricing", `cookie: ${"a=b; ".repeat(6000)}\r\n`),
    wanted: "answered",
  },
  {
    name: "a session of 12 KiB",
    bytes: get("/api/me", `cookie: relay-session=${"a".repeat(12_000)}\r\n`),
    wanted: "answered",
  },
  {
    name: "a session in pieces",
    bytes: get("/api/me", `cookie: ${cookiePieces()}\r\n`),
    wanted: "answered",
  },
  { name: "a header folded", bytes: get("/v1/models", "x-a: b\r\n c\r\n"), wanted: "any" },
  { name: "bare line feeds", bytes: get("/v1/models").replaceAll("\r\n", "\n"), wanted: "any" },
  { name: "a blank before the colon", bytes: get("/v1/models", "x-a : b\r\n"), wanted: "refused" },
  {
    name: "a request id with a line break",
    bytes: get("/v1/models", "x-request-id: a%0d%0ax-b: c\r\n"),
    wanted: "answered",
  },
  {
    name: "an Accept-Language of 20 KiB",
    bytes: get("/", `accept-language: ${"zh-CN;q=0.1,".repeat(1600)}en\r\n`),
    wanted: "answered",
  },
  {
    name: "ranges without end",
    bytes: get("/v1/media/a.mp4", `range: bytes=${"0-1,".repeat(3000)}\r\n`),
    wanted: "answered",
  },
  {
    name: "an inner header of the framework",
    bytes: get("/overview", "x-middleware-subrequest: proxy:proxy:proxy\r\n"),
    wanted: "answered",
  },
  {
    name: "a server action",
    bytes: post("/", `next-action: ${"a".repeat(40)}\r\n${closing}content-length: 2\r\n`, "[]"),
    wanted: "answered",
  },
  {
    name: "a server action in parts",
    bytes: post("/login", `next-action: x\r\n${closing}content-length: 2\r\n`, "[]"),
    wanted: "answered",
  },
  {
    name: "a request of a client router",
    bytes: get("/pricing", `rsc: 1\r\nnext-router-state-tree: %5B%22\r\n`),
    wanted: "answered",
  },
  ...rawBodies,
  {
    name: "noise",
    bytes: Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256)),
    wanted: "refused",
  },
  { name: "line feeds only", bytes: "\r\n".repeat(5000), wanted: "any", isSlow: true },
];

function cookiePieces(): string {
  return Array.from({ length: 200 }, (_, index) => `relay-session.${index}=${"a".repeat(40)}`).join(
    "; ",
  );
}
