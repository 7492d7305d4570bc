import { beforeEach, expect, test } from "vitest";
import { OwnPages, type PageRoute } from "@/testing/pages-api/own-pages";
import { opened } from "@/testing/unit/opened";
import { failures } from "../failures/failure-table";

const pages = await opened(OwnPages.open());
beforeEach(() => pages.signInNew());

test("a write with an unknown column is refused: nobody becomes an operator or gets points", async () => {
  const { key } = await pages.newKey();
  const columns = (
    await pages.site.deps.pool.query<{ name: string }>(
      "select distinct column_name as name from information_schema.columns where table_schema = 'public'",
    )
  ).rows;
  const camel = (name: string) =>
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const names = [...new Set(columns.flatMap(({ name }) => [name, camel(name)]))];
  const bodies: [PageRoute, Record<string, unknown>, string | undefined][] = [
    ["signUp", { email: "operator@example.com", password: "correct horse battery" }, undefined],
    ["createKey", { name: "a" }, undefined],
    ["changeKey", { name: "a" }, key.id],
    ["redeemVoucher", { code: "RLY-0000" }, undefined],
    [
      "changePassword",
      { currentPassword: "correct horse battery", newPassword: "correct horse battery" },
      undefined,
    ],
  ];
  const allowed = [
    "email",
    "password",
    "name",
    "models",
    "requestsPerMinute",
    "expiresAt",
    "budget",
    "hourlySpendMax",
    "allowedAddresses",
  ];
  for (const [route, body, id] of bodies) {
    for (const name of names.filter((column) => !allowed.includes(column) && !(column in body))) {
      const answer = await pages.call(route, { id, body: { ...body, [name]: true } });
      expect([route, name, answer.status, answer.json.error?.code]).toEqual([
        route,
        name,
        400,
        "unknown_parameter",
      ]);
    }
  }
  expect(await pages.site.deps.database.user.count({ where: { isOperator: true } })).toBe(0);
  expect(
    await pages.site.deps.database.user.count({ where: { email: "operator@example.com" } }),
  ).toBe(0);
});

test("without a session everything but sign-up and prices is refused", async () => {
  pages.user = null;
  for (const name of [
    "showMe",
    "listKeys",
    "createKey",
    "changeKey",
    "revokeKey",
    "listEntries",
    "redeemVoucher",
    "changePassword",
    "signOutEverywhere",
  ] as const) {
    const answer = await pages.call(name, { body: { name: "a" }, id: "key_x" });
    expect([name, answer.status, answer.json.error.code]).toEqual([name, 401, "sign_in_required"]);
  }
  expect((await pages.call("showPrices")).status).toBe(200);
});

test.each<[string, Record<string, string>, number]>([
  ["another site", { origin: "https://evil.example" }, 403],
  ["a null origin", { origin: "null" }, 403],
  ["a sibling site", { "sec-fetch-site": "same-site" }, 403],
  [
    "another site that the browser names",
    { "sec-fetch-site": "cross-site", origin: "http://localhost:3000" },
    403,
  ],
  ["our own pages", { "sec-fetch-site": "same-origin" }, 201],
])("a write from %s gets the right status", async (_, headers, status) => {
  expect((await pages.call("createKey", { body: { name: "a" }, headers })).status).toBe(status);
});

test("bodies that are not JSON, have another content type, are too large or repeat a name are refused", async () => {
  const send = async (body: string, type = "application/json") => {
    const request = new Request("http://localhost:3000/api/keys", {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    return ((await (await pages.routes.createKey(request)).json()) as { error: { code: string } })
      .error.code;
  };
  expect(await send("{")).toBe("invalid_json");
  expect(await send('{"name":"a","name":"b"}')).toBe("invalid_json");
  expect(await send("name=a", "application/x-www-form-urlencoded")).toBe("unsupported_media_type");
  expect(await send(JSON.stringify({ name: "a".repeat(70_000) }))).toBe("body_too_large");
});

test("reads write nothing", async () => {
  await pages.newKey();
  const readOnly = await pages.site.readOnly();
  const reading = pages.routesOver(() => readOnly);
  for (const name of ["showMe", "listKeys", "listEntries", "showPrices"] as const) {
    expect([
      name,
      (await reading[name](new Request("http://localhost:3000/api/x"))).status,
    ]).toEqual([name, 200]);
  }
  const write = new Request("http://localhost:3000/api/x", {
    method: "POST",
    body: '{"name":"a"}',
    headers: { "content-type": "application/json" },
  });
  expect((await reading.createKey(write)).status).toBe(503);
  expect(pages.problems.join()).toMatch(/read-only/);
});

test.each([
  ["a database that cannot be reached", () => pages.site.unreachable, 503, "database_unavailable"],
  ["a defect", () => null as never, 500, "internal_error"],
] as const)(
  "an internal failure is reported to the operator and not explained in the answer: %s",
  async (_, database, status, code) => {
    const broken = pages.routesOver(() => ({ ...pages.site.deps, database: database() }));
    const response = await broken.listKeys(new Request("http://localhost:3000/api/keys"));
    expect(response.status).toBe(status);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    const { type } = failures[code];
    expect(await response.json()).toEqual({
      error: { message: failures[code].message, type, param: null, code },
    });
    expect(pages.problems).toHaveLength(1);
  },
);
