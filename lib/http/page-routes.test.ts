import { expect, test } from "vitest";
import { type PageRoute, pageRoutes } from "./page-routes";

const answerOf = (name: string) => async (request: Request, id?: string) =>
  new Response(`${request.method} ${name} ${id ?? ""}`);
const rows = [
  ["GET", "/api/keys"],
  ["POST", "/api/keys"],
  ["PATCH", "/api/keys/{id}"],
  ["POST", "/api/keys/{id}/revoke"],
  ["GET", "/api/admin/prices/versions"],
] as const;
const routes: PageRoute[] = rows.map(([method, path]) => ({
  row: { method, path },
  handler: answerOf(`${method} ${path}`),
}));
const answer = pageRoutes(routes, async () => new Response("nothing", { status: 404 }));

async function ask(method: string, path: string) {
  const response = await answer(new Request(`http://localhost${path}`, { method }));
  return [response.status, await response.text(), response.headers.get("allow")];
}

test("a request is answered by the row of its method and path, with the path's id", async () => {
  expect(await ask("GET", "/api/keys")).toEqual([200, "GET GET /api/keys ", null]);
  expect(await ask("POST", "/api/keys")).toEqual([200, "POST POST /api/keys ", null]);
  expect(await ask("PATCH", "/api/keys/key_1")).toEqual([
    200,
    "PATCH PATCH /api/keys/{id} key_1",
    null,
  ]);
  expect(await ask("POST", "/api/keys/key_1/revoke")).toEqual([
    200,
    "POST POST /api/keys/{id}/revoke key_1",
    null,
  ]);
  expect(await ask("GET", "/api/admin/prices/versions")).toEqual([
    200,
    "GET GET /api/admin/prices/versions ",
    null,
  ]);
});

test("an id is decoded, and an address has one spelling", async () => {
  expect((await ask("PATCH", "/api/keys/a%2Fb%20c?x=1"))[1]).toBe(
    "PATCH PATCH /api/keys/{id} a/b c",
  );
  expect((await ask("PATCH", "/api/keys/%7Bid%7D"))[1]).toBe("PATCH PATCH /api/keys/{id} {id}");
  for (const path of ["/api/%6beys/a", "/api/keys/%ff", "/api/KEYS/a", "/api/keys/a/"]) {
    expect((await ask("PATCH", path))[0]).toBe(404);
  }
});

test("an address without a row is not found, by any method", async () => {
  for (const path of [
    "/api/key",
    "/api/keys/a/b",
    "/api/keys/a/revoke/b",
    "/api/admin/prices",
    "/api/x",
  ]) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
      expect((await ask(method, path))[0]).toBe(404);
  }
});

test("a method that the path does not allow is 405 without a body; HEAD is answered where GET is", async () => {
  expect(await ask("DELETE", "/api/keys")).toEqual([405, "", null]);
  expect(await ask("GET", "/api/keys/key_1")).toEqual([405, "", null]);
  expect(await ask("HEAD", "/api/keys/key_1")).toEqual([405, "", null]);
  expect((await ask("HEAD", "/api/keys"))[0]).toBe(200);
});

test("OPTIONS lists the methods of the path, and all of them for an unknown path", async () => {
  expect(await ask("OPTIONS", "/api/keys")).toEqual([204, "", "GET, HEAD, OPTIONS, POST"]);
  expect(await ask("OPTIONS", "/api/keys/key_1")).toEqual([204, "", "OPTIONS, PATCH"]);
  expect(await ask("OPTIONS", "/api/x")).toEqual([
    204,
    "",
    "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
  ]);
});
