import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PageEndpoint } from "../contract/page-endpoint";
import { pageEndpoints } from "../contract/page-endpoints";
import { useCases } from "./page-handlers";

const contract = join(import.meta.dirname, "../contract");

test("every row has a use case, and every use case has a row", () => {
  expect(Object.keys(useCases).sort()).toEqual(Object.keys(pageEndpoints).sort());
});

test("every table is part of the whole, and names and addresses are unique", async () => {
  const names: string[] = [];
  const files = readdirSync(contract).filter(
    (file) => file.endsWith(".ts") && !file.includes(".test."),
  );
  for (const file of files.filter(
    (each) =>
      ![
        "page-endpoints.ts",
        "endpoints.ts",
        "dialect-endpoints.ts",
        "image-endpoints.ts",
        "managed-key-endpoints.ts",
        "managed-member-endpoints.ts",
        "video-job-endpoints.ts",
      ].includes(each),
  )) {
    const exported: Record<string, unknown> = await import(join(contract, file));
    const tables = Object.entries(exported).filter(([name]) => name.endsWith("Endpoints"));
    for (const [, rows] of tables) names.push(...Object.keys(rows as object));
  }
  expect(names.sort()).toEqual(Object.keys(pageEndpoints).sort());
  const addresses = Object.values<PageEndpoint>(pageEndpoints).map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(addresses).toEqual([...new Set(addresses)]);
});

test("operators' rows are below /api/admin, and no others are", () => {
  const rows = Object.values<PageEndpoint>(pageEndpoints);
  expect(
    rows.filter(({ who, path }) => (who === "operator") !== path.startsWith("/api/admin/")),
  ).toEqual([]);
  // Besides operators' rows: what changes who can act or pay for one's own account, or ends it.
  const own = rows.filter(({ who, proof }) => proof && who !== "operator");
  expect(own.map(({ path, who, proof }) => [path, who, proof])).toEqual([
    ["/api/members/{id}/role", "user", "recent"],
    ["/api/members/{id}/budget", "user", "recent"],
    ["/api/members/{id}/remove", "user", "recent"],
    ["/api/members/{id}/hand-over", "user", "recent"],
    ["/api/invitations", "user", "recent"],
    ["/api/account/leave", "user", "recent"],
    ["/api/management-keys", "user", "recent"],
    ["/api/auto-topup", "user", "recent"],
    ["/api/auto-topup/card", "user", "recent"],
    ["/api/auto-topup/confirmation", "user", "recent"],
    ["/api/plan/payment", "user", "recent"],
    ["/api/plan/card", "user", "recent"],
    ["/api/email", "user", "recent"],
    ["/api/account/close", "user", "recent"],
    ["/api/second-factor/totp", "user", "recent"],
    ["/api/second-factor/totp/confirm", "user", "recent"],
    ["/api/second-factor/totp", "user", "recent"],
    ["/api/second-factor/codes", "user", "recent"],
    ["/api/second-factor/passkey", "user", "recent"],
    ["/api/passkeys", "user", "recent"],
    ["/api/passkeys/{id}", "user", "recent"],
    ["/api/identities", "user", "recent"],
    ["/api/identities/{id}", "user", "recent"],
    ["/api/tag-budgets", "user", "recent"],
    ["/api/password", "user", "unlessPassword"],
    ["/api/webhooks", "user", "recent"],
    ["/api/webhooks/{id}", "user", "recent"],
    ["/api/webhooks/{id}/resume", "user", "recent"],
    ["/api/webhooks/{id}/rotate", "user", "recent"],
  ]);
});

test("a path has `{id}` at most once and no other parameter", () => {
  const open = Object.values<PageEndpoint>(pageEndpoints).map(
    ({ path }) => path.match(/\{[^}]*\}/g) ?? [],
  );
  expect(open.filter((found) => found.length > 1 || found.some((each) => each !== "{id}"))).toEqual(
    [],
  );
});

test("no path matches another path's `{id}`", () => {
  const paths = [...new Set(Object.values<PageEndpoint>(pageEndpoints).map(({ path }) => path))];
  const patterns = paths
    .filter((path) => path.includes("{id}"))
    .map((path) => new RegExp(`^${path.replace("{id}", "[^/]+")}$`));
  expect(patterns.length).toBeGreaterThan(25);
  for (const pattern of patterns)
    expect(
      paths.filter((path) => pattern.test(path)),
      String(pattern),
    ).toHaveLength(1);
});

test("a GET takes no body", () => {
  const rows = Object.values<PageEndpoint>(pageEndpoints);
  expect(rows.filter(({ method, body }) => method === "GET" && body)).toEqual([]);
});
