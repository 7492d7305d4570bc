/** Public pages are rendered once for all who ask, and for nobody else. */
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type AnswerPage, ask, exchange, open, serve } from "@/testing/http/raw-requests";

const policyOf = (nonce: string) => `script-src 'self' 'nonce-${nonce}'`;
const nonceIn = (text: string) => /'nonce-([^']+)'/.exec(text)?.[1] ?? "";
const bodyOf = (text: string) => text.slice(text.indexOf("\r\n\r\n") + 4);

/** Counts what it renders, and says what it was asked with. */
function countingPage(more: Record<string, string> = {}, status = 200) {
  const seen: string[] = [];
  const page: AnswerPage = async (request, response) => {
    const nonce = `${seen.length}`.repeat(24);
    const { cookie = "-", "accept-language": language, "user-agent": agent } = request.headers;
    seen.push(`${request.url} ${cookie} ${language} ${agent}`);
    response.setHeader("content-security-policy", policyOf(nonce));
    response.setHeader("link", `</a.css>; nonce="${nonce}"`);
    response.setHeader("content-type", "text/html; charset=utf-8");
    for (const [name, value] of Object.entries(more)) response.setHeader(name, value);
    response.writeHead(status);
    response.write(`<script nonce="${nonce}">a</script>`);
    await new Promise((resolve) => setImmediate(resolve));
    response.end(`<script nonce="${nonce}">ß</script>`);
  };
  return { seen, page };
}

test("a public page is rendered once for many, and each answer has a nonce of its own", async () => {
  const { seen, page } = countingPage();
  const port = await serve(page);
  const texts = await Promise.all(
    Array.from({ length: 20 }, () => exchange(port, ask("GET /status HTTP/1.1", "user-agent: x"))),
  );
  expect(seen).toEqual(["/status - en undefined"]);
  const nonces = texts.map(nonceIn);
  expect(new Set(nonces).size).toBe(20);
  texts.forEach((text, at) => {
    const [nonce] = nonces.slice(at);
    expect(text).toContain(`</a.css>; nonce="${nonce}"`);
    expect(Buffer.from(nonce ?? "", "base64")).toHaveLength(16);
    expect(bodyOf(text)).toBe(
      `<script nonce="${nonce}">a</script><script nonce="${nonce}">ß</script>`,
    );
  });
});

test("a page that waits while its connection is full is rendered to its end", async () => {
  const piece = "x".repeat(100_000);
  const port = await serve(async (_request, response) => {
    for (let each = 0; each < 3; each++)
      if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve));
    response.end();
  });
  expect(bodyOf(await exchange(port, ask("GET / HTTP/1.1")))).toHaveLength(300_000);
});

test("a client that takes gzip gets the same page compressed", async () => {
  const { page } = countingPage();
  const port = await serve(page);
  const text = async (accepted: string) => {
    const { socket } = open(port);
    const parts: Buffer[] = [];
    socket.on("data", (part) => parts.push(part));
    socket.write(ask("GET / HTTP/1.1", `accept-encoding: ${accepted}`));
    await new Promise((resolve) => socket.once("close", resolve));
    const whole = Buffer.concat(parts);
    const at = whole.indexOf("\r\n\r\n") + 4;
    return { head: whole.subarray(0, at).toString(), body: whole.subarray(at) };
  };
  const packed = await text("br, gzip");
  expect(packed.head).toMatch(/content-encoding: gzip\r\n/i);
  expect(packed.head).toMatch(/vary: accept-encoding\r\n/i);
  const nonce = nonceIn(packed.head);
  expect(gunzipSync(packed.body).toString()).toBe(
    `<script nonce="${nonce}">a</script><script nonce="${nonce}">ß</script>`,
  );
  expect((await text("gzip;q=0, br")).head).not.toMatch(/content-encoding/i);
});

test.each([
  ["a session", ["cookie: next-auth.session-token=x"]],
  ["anything beside the language", ["cookie: relay_locale=en; relay_referral=x"]],
  ["a part of a page", ["rsc: 1"]],
])("a request with %s is rendered for itself", async (_, headers) => {
  const { seen, page } = countingPage();
  const port = await serve(page);
  for (let each = 0; each < 2; each++) await exchange(port, ask("GET / HTTP/1.1", ...headers));
  expect(seen).toHaveLength(2);
});

test.each(["/settings", "/api/me", "/reset?token=x", "/admin", "/login/step", "/signup?invite=x"])(
  "%s is rendered for each request",
  async (path) => {
    const { seen, page } = countingPage();
    const port = await serve(page);
    for (let each = 0; each < 2; each++) await exchange(port, ask(`GET ${path} HTTP/1.1`));
    expect(seen).toHaveLength(2);
  },
);

test("each language and each address has its own page", async () => {
  const { seen, page } = countingPage();
  const port = await serve(page);
  const zh = "accept-language: zh-CN,zh;q=0.9";
  await exchange(port, ask("GET / HTTP/1.1"));
  await exchange(port, ask("GET / HTTP/1.1", zh));
  await exchange(port, ask("GET / HTTP/1.1", "cookie: relay_locale=zh-CN"));
  await exchange(port, ask("GET /?currency=eur HTTP/1.1", zh));
  expect(
    seen.map((each) =>
      each
        .split(" ")
        .filter((_, at) => at !== 1 && at < 3)
        .join(" "),
    ),
  ).toEqual(["/ en", "/ zh-CN", "/?currency=eur zh-CN"]);
});

test("an answer that sets a cookie, redirects or failed is for one, and is not kept", async () => {
  const answers = [
    [{ "set-cookie": "a=b" }, 200],
    [{ location: "/login" }, 307],
    [{}, 500],
  ] as const;
  for (const [more, status] of answers) {
    const { seen, page } = countingPage(more, status);
    const port = await serve(page);
    for (let each = 0; each < 2; each++)
      expect(await exchange(port, ask("GET / HTTP/1.1"))).toContain(`HTTP/1.1 ${status} `);
    expect(seen).toHaveLength(2);
  }
});

test("a file with an ETag is not sent to who has it", async () => {
  const { seen, page } = countingPage({ etag: '"abc"' });
  const port = await serve(page);
  const path = "GET /status/feed.atom HTTP/1.1";
  expect(await exchange(port, ask(path))).toMatch(/^HTTP\/1.1 200 /);
  expect(await exchange(port, ask(path, 'if-none-match: W/"abc"'))).toMatch(/^HTTP\/1.1 304 /);
  expect(seen).toHaveLength(1);
});
