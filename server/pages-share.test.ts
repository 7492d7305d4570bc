/** Network addresses share the pages' lane fairly. */
import { expect, test } from "vitest";
import { ADDRESS_HEADER } from "@/lib/http/serve-page";
import { createPageLimiter } from "@/lib/limits/page-limiter";
import { assertAddressHasRoom } from "@/lib/pages-api/admit";
import { ask, eventually, exchange, open, openAll, serve } from "@/testing/http/raw-requests";
import { PAGES_PER_ADDRESS_MAX, UNREAD_PER_ADDRESS_MAX } from "./pages-lane";

test("a bounded number of page requests from one address run at once, and an ended one frees its place", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const port = await serve(async (request, response) => {
    if (request.url === "/slow") await gate;
    response.end("page");
  });
  const all = Array.from({ length: PAGES_PER_ADDRESS_MAX }, () =>
    exchange(port, ask("GET /slow HTTP/1.1")),
  );
  await eventually(() => exchange(port, ask("GET / HTTP/1.1"))).toMatch(
    /^HTTP\/1.1 503 .*retry-after: 1\r\n.*"service_busy"/is,
  );
  release();
  expect((await Promise.all(all)).filter((text) => text.includes("200 OK"))).toHaveLength(
    PAGES_PER_ADDRESS_MAX,
  );
  expect(await exchange(port, ask("GET / HTTP/1.1"))).toMatch(/^HTTP\/1.1 200 /);
});

test("pages requested by one address leave other addresses their turn", async () => {
  let made = 0;
  const port = await serve(async (request, response) => {
    for (let step = 0; step < 3; step++) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const until = performance.now() + 2; performance.now() < until; );
    }
    if (request.url === "/many") made++;
    response.end("page");
  });
  const [other, ...many] = await openAll(port, 61, (at) => (at === 0 ? "127.0.0.2" : undefined));
  for (const { socket } of many) socket.write(ask("GET /many HTTP/1.1"));
  await eventually(() => made).toBeGreaterThan(3);
  const before = made;
  other?.socket.write(ask("GET /one HTTP/1.1"));
  expect(await other?.ended).toContain("page");
  expect(made - before).toBeLessThan(20);
  const texts = await Promise.all(many.map(({ ended }) => ended));
  expect(texts.filter((text) => text.includes("200 OK"))).toHaveLength(60);
});

test("one address may leave only a few rendered pages unread, and other addresses are still served", async () => {
  // In the order in which they came, which is not that in which they were sent.
  const begun: number[] = [];
  const port = await serve((request, response) => {
    if (request.url === "/one") {
      response.end("page");
      return Promise.resolve();
    }
    begun.push(Number(request.url?.slice(1)));
    response.write("the first half");
    return Promise.resolve();
  });
  const [other, ...many] = await openAll(port, 21, (at) => (at === 0 ? "127.0.0.2" : undefined));
  for (const [at, { socket }] of many.entries()) socket.write(ask(`GET /${at} HTTP/1.1`));
  await eventually(() => begun.length).toBe(UNREAD_PER_ADDRESS_MAX);
  other?.socket.write(ask("GET /one HTTP/1.1"));
  expect(await other?.ended).toContain("page");
  expect(begun).toHaveLength(UNREAD_PER_ADDRESS_MAX);
  for (const at of begun) many[at]?.socket.destroy();
  await eventually(() => begun.length).toBe(2 * UNREAD_PER_ADDRESS_MAX);
});

test("an address without requests left is refused before its request becomes a page's work", async () => {
  const counts = { read: 100, write: 2 };
  const pageLimiter = createPageLimiter({ user: counts, address: counts }, () => 0);
  const begun: string[] = [];
  const port = await serve(
    async (request, response) => {
      begun.push(`${request.method} ${request.url}`);
      if (request.url === "/api/keys" && request.method === "POST")
        pageLimiter.take("address", String(request.headers[ADDRESS_HEADER]), "write");
      response.end("page");
    },
    undefined,
    { notePage() {}, assertAddressHasRoom: (at) => assertAddressHasRoom({ pageLimiter }, at) },
  );
  const post = (path: string) => ask(`POST ${path} HTTP/1.1`, "content-length: 0");
  for (let write = 0; write < 2; write++)
    expect(await exchange(port, post("/api/keys"))).toMatch(/^HTTP\/1.1 200 /);
  expect(await exchange(port, post("/api/keys"))).toMatch(
    /^HTTP\/1.1 429 .*retry-after: \d+\r\n.*"page_rate_limited".*"fault":\{"name":"actions_a_minute","max":2\}/is,
  );
  expect(begun).toHaveLength(2);
  // Reads have their own count; sign-in tells its refusal in its own form.
  expect(await exchange(port, ask("GET /api/me HTTP/1.1"))).toMatch(/^HTTP\/1.1 200 /);
  expect(await exchange(port, post("/api/auth/callback/credentials"))).toMatch(/^HTTP\/1.1 200 /);
  const other = open(port, "127.0.0.2");
  other.socket.write(post("/api/keys"));
  expect(await other.ended).toMatch(/^HTTP\/1.1 200 /);
});

test("one address has pages rendered for about half of the time, and not for all of it", async () => {
  const renderMs = 60;
  const count = 14;
  const port = await serve(async (_request, response) => {
    for (const until = performance.now() + renderMs; performance.now() < until; );
    response.end("page");
  });
  const startedAt = performance.now();
  const texts = await Promise.all(
    Array.from({ length: count }, (_, at) => exchange(port, ask(`GET /many-${at} HTTP/1.1`))),
  );
  expect(texts.every((text) => text.includes("200 OK"))).toBe(true);
  // What a visit needs at once is rendered without a rest.
  expect(performance.now() - startedAt).toBeGreaterThan(2 * renderMs * (count - 1) - 420);
});
