import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { sessionOf } from "../accounts/session-store";
import { signUp } from "../accounts/sign-up";
import { signInFailure } from "../client/sign-in-failure";
import { fixedSecrets } from "../crypto/secrets";
import { ADDRESS_HEADER } from "../http/serve-page";
import { createPageLimiter } from "../limits/page-limiter";
import { type PagesDeps, providePagesDeps } from "../pages-api/pages-deps";
import { readSettings } from "../settings/settings";
import { authOptions } from "./auth-options";
import { authHandler } from "./session";
import { renewedCookie, sessionCookie } from "./session-token";

const site = await opened(startSiteProcess());

const withSettings = (environment: Record<string, string>): PagesDeps => ({
  ...site.deps,
  settings: readSettings(environment),
});

test("on https the session cookie is __Host-, secure, without a domain; it is always hidden from scripts and other sites", () => {
  const secure = sessionCookie(withSettings({ PUBLIC_URL: "https://relay.example" }));
  expect(secure).toEqual({
    name: "__Host-relay-session",
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: true },
  });
  const plain = sessionCookie(withSettings({}));
  expect(plain).toEqual({
    name: "relay-session",
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: false },
  });
});

test.each([
  ["/points?a=1", "https://relay.example/points?a=1"],
  ["https://relay.example/points", "https://relay.example/points"],
  ["https://evil.example/points", "https://relay.example"],
  ["//evil.example", "https://relay.example"],
  ["/\\evil.example", "https://relay.example"],
  ["https://relay.example@evil.example", "https://relay.example"],
  ["https://relay.example.evil.example", "https://relay.example"],
  ["http://relay.example/", "https://relay.example"],
  ["javascript:alert(1)", "https://relay.example"],
  ["\thttps://evil.example", "https://relay.example"],
])("signing in with %s leads to %s", async (url, target) => {
  const { callbacks } = authOptions(withSettings({ PUBLIC_URL: "https://relay.example" }));
  expect(await callbacks?.redirect?.({ url, baseUrl: "https://relay.example" })).toBe(target);
});

test("sign-in methods exist when they are configured, and none links identities by email", () => {
  const ids = (deps: PagesDeps) => authOptions(deps).providers.map(({ id }) => id);
  expect(ids(withSettings({}))).toEqual(["credentials"]);
  const all = withSettings({
    GITHUB_ID: "a",
    GITHUB_SECRET: "b",
    GOOGLE_ID: "a",
    GOOGLE_SECRET: "b",
    OIDC_ISSUER: "https://id.example/realm/",
    OIDC_CLIENT_ID: "a",
    OIDC_CLIENT_SECRET: "b",
    SMTP_URL: "smtp://127.0.0.1:1",
  });
  expect(ids(all)).toEqual(["credentials", "github", "google", "oidc", "email"]);
  expect(JSON.stringify(authOptions(all).providers)).not.toContain(
    "allowDangerousEmailAccountLinking",
  );
});

test("a session's token is valid while the session is active, with this secret only", async () => {
  const { userId } = await signUp(site.deps, {
    email: "token@example.com",
    password: "correct horse battery",
  });
  const user = sessionOf(
    await site.deps.database.user.findUniqueOrThrow({ where: { id: userId } }),
  );
  const cookie = await renewedCookie(site.deps, user, new Headers());
  expect(cookie).toMatch(/^relay-session=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  const text = cookie.slice("relay-session=".length, cookie.indexOf(";"));
  const decode = (given: string, under = site.deps) =>
    authOptions(under).jwt?.decode?.({ token: given, secret: "" });
  const token = await decode(text);
  expect(token).toMatchObject({ sub: userId });
  expect(
    await decode(text, {
      ...site.deps,
      secrets: fixedSecrets("another secret of at least thirty-two characters"),
    }),
  ).toBeNull();
  const next = "the next secret, also of at least thirty-two characters";
  const previous = site.deps.secrets.current;
  expect(await decode(text, { ...site.deps, secrets: fixedSecrets(next, previous) })).toMatchObject(
    { sub: userId },
  );
  expect(await decode(text, { ...site.deps, secrets: fixedSecrets(next) })).toBeNull();
  expect(await decode("nonsense")).toBeNull();
  await authOptions(site.deps).events?.signOut?.({
    token: token ?? {},
    session: undefined as never,
  });
  expect(await decode(text)).toBeNull();
});

test("unneeded addresses of the sign-in library do not exist, and their bodies are not read", async () => {
  const problems: unknown[] = [];
  providePagesDeps({ ...site.deps, reportProblem: (...problem) => problems.push(problem) });
  for (const path of [
    ["_log"],
    ["session"],
    ["callback", "google"],
    ["callback", "credentials", "x"],
    [],
  ]) {
    const request = new Request(`http://localhost:3000/api/auth/${path.join("/")}`, {
      method: "POST",
      body: '{"level":"error","code":"x"}',
    });
    const response = await authHandler(request, { params: Promise.resolve({ nextauth: path }) });
    expect([path, response.status, request.bodyUsed, (await response.json()).error.code]).toEqual([
      path,
      404,
      false,
      "route_not_found",
    ]);
  }
  expect(problems).toEqual([]);
});

test.each<[string, string, number, string]>([
  ["application/json", "{", 400, "invalid_json"],
  ["application/json", "[]", 400, "invalid_value"],
  ["application/json", "null", 400, "invalid_value"],
  ["application/json", '{"csrfToken":{"a":1}}', 400, "invalid_value"],
  ["application/json", `{"callbackUrl":"${"a".repeat(9000)}"}`, 400, "invalid_value"],
  [
    "application/json",
    JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, ""]))),
    400,
    "invalid_value",
  ],
  ["text/plain", "a=b", 415, "unsupported_media_type"],
  ["application/x-www-form-urlencoded", "a=b&".repeat(21), 400, "invalid_value"],
])(
  "a request that the sign-in library could not parse is refused before it: %s %s",
  async (type, body, status, code) => {
    providePagesDeps(site.deps);
    for (const nextauth of [["signin", "credentials"], ["callback", "credentials"], ["signout"]]) {
      const init = { method: "POST", headers: { "content-type": type }, body };
      const response = await authHandler(
        new Request(`http://localhost:3000/api/auth/${nextauth.join("/")}`, init),
        {
          params: Promise.resolve({ nextauth }),
        },
      );
      expect([response.status, (await response.json()).error.code]).toEqual([status, code]);
    }
  },
);

test("sign-ins from one address are limited to 600 a minute, before anything is read", async () => {
  providePagesDeps({ ...site.deps, pageLimiter: createPageLimiter(undefined, () => 0) });
  const ask = (address: string) => {
    const headers = { [ADDRESS_HEADER]: address };
    const request = new Request("http://localhost:3000/api/auth/callback/unknown", {
      method: "POST",
      body: "x",
      headers,
    });
    return authHandler(request, { params: Promise.resolve({ nextauth: ["callback", "unknown"] }) });
  };
  for (let sent = 0; sent < 600; sent++) expect((await ask("192.0.2.1")).status).toBe(404);
  const refused = await ask("192.0.2.1");
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  const { error, url } = await refused.json();
  expect([error.code, signInFailure(new URL(url).searchParams.get("error") ?? "").code]).toEqual([
    "page_rate_limited",
    "page_rate_limited",
  ]);
  expect((await ask("192.0.2.2")).status).toBe(404);
});
