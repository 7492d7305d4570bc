/** Requests that no ordinary client sends. */
import { rawBodies } from "./raw-bodies";
import { answered, closing, get, harmless, post, type RawCase, refused } from "./raw-case";

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
  ...paths.map((path) => answered(`GET ${path.slice(0, 60)}`, get(path))),
  ...["/", "/v1/chat/completions", "/api/me"].flatMap((path) =>
    methods.map((method) => answered(`${method} ${path}`, get(path).replace("GET", method))),
  ),
  ...["/", "/v1/models", "/api/me", "/healthz", "/docs/api"].map((path) =>
    answered(`HEAD ${path}`, get(path).replace("GET", "HEAD"), { isHead: true }),
  ),
  ...["/", "/v1/models", "/pricing", "/v1/chat/completions"].flatMap((path) =>
    ["h2c", "websocket", "TLS/1.0", "a, b, c"].map((protocol) =>
      answered(
        `Upgrade: ${protocol} at ${path}`,
        get(
          path,
          `upgrade: ${protocol}\r\nhttp2-settings: AAMAAABkAAQAAP__\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`,
        ).replace("connection: close", "connection: Upgrade, HTTP2-Settings"),
      ),
    ),
  ),
  answered("OPTIONS *", `OPTIONS * HTTP/1.1\r\nhost: HOST\r\n${closing}\r\n`),
  answered("OPTIONS /", get("/").replace("GET", "OPTIONS")),
  answered("GET *", get("*")),
  answered("an absolute target", get("http://HOST/v1/models")),
  answered("an absolute target elsewhere", get("http://example.org/pricing")),
  answered("an absolute target that is no address", get("http://[::/pricing")),
  harmless("CONNECT", `CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n`),
  answered("HTTP/1.0", get("/v1/models", "", "HTTP/1.0")),
  answered("HTTP/1.0 without a host", "GET /pricing HTTP/1.0\r\n\r\n"),
  harmless("HTTP/0.9", "GET /pricing\r\n\r\n"),
  harmless("HTTP/2.0 by name", get("/v1/models", "", "HTTP/2.0")),
  refused("HTTP/9.9", get("/v1/models", "", "HTTP/9.9")),
  refused("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  harmless("a TLS handshake", Buffer.from("16030100a5010000a10303", "hex")),
  harmless("no host", `GET /v1/models HTTP/1.1\r\n${closing}\r\n`),
  harmless("two hosts", get("/v1/models", "host: example.org\r\n")),
  harmless("a host that is no name", get("/pricing").replace("HOST", "a b<>\\")),
  refused("a NUL in the path", get("/v1/mod\0els")),
  refused("a NUL in a header", get("/v1/models", "x-a: b\0c\r\n")),
  refused("a blank in the path", get("/v1/mod els")),
  harmless("bytes over 127 in the path", Buffer.from(get("/docs/\xff\xfe"), "latin1")),
  refused(
    "10,000 headers",
    get("/v1/models", Array.from({ length: 10_000 }, (_, index) => `x-${index}: a\r\n`).join("")),
  ),
  harmless(
    "1,500 headers",
    get("/v1/models", Array.from({ length: 1500 }, (_, index) => `x-${index}: a\r\n`).join("")),
  ),
  refused("a header of 1 MiB", get("/v1/models", `x-a: ${"a".repeat(1 << 20)}\r\n`)),
  answered("a cookie of 30 KiB", get("/pricing", `cookie: ${"a=b; ".repeat(6000)}\r\n`)),
  answered(
    "a session of 12 KiB",
    get("/api/me", `cookie: relay-session=${"a".repeat(12_000)}\r\n`),
  ),
  answered("a session in pieces", get("/api/me", `cookie: ${cookiePieces()}\r\n`)),
  harmless("a header folded", get("/v1/models", "x-a: b\r\n c\r\n")),
  harmless("bare line feeds", get("/v1/models").replaceAll("\r\n", "\n")),
  refused("a blank before the colon", get("/v1/models", "x-a : b\r\n")),
  answered("a request id with a line break", get("/v1/models", "x-request-id: a%0d%0ax-b: c\r\n")),
  answered(
    "an Accept-Language of 20 KiB",
    get("/", `accept-language: ${"zh-CN;q=0.1,".repeat(1600)}en\r\n`),
  ),
  answered("ranges without end", get("/v1/media/a.mp4", `range: bytes=${"0-1,".repeat(3000)}\r\n`)),
  answered(
    "an inner header of the framework",
    get("/overview", "x-middleware-subrequest: proxy:proxy:proxy\r\n"),
  ),
  answered(
    "a server action",
    post("/", `next-action: ${"a".repeat(40)}\r\n${closing}content-length: 2\r\n`, "[]"),
  ),
  answered(
    "a server action in parts",
    post("/login", `next-action: x\r\n${closing}content-length: 2\r\n`, "[]"),
  ),
  answered(
    "a request of a client router",
    get("/pricing", `rsc: 1\r\nnext-router-state-tree: %5B%22\r\n`),
  ),
  ...rawBodies,
  refused("noise", Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256))),
  harmless("line feeds only", "\r\n".repeat(5000), { isSlow: true }),
];

function cookiePieces(): string {
  return Array.from({ length: 200 }, (_, index) => `relay-session.${index}=${"a".repeat(40)}`).join(
    "; ",
  );
}
