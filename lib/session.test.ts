import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionOf } from "./accounts/sessions";
import { signUp } from "./accounts/sign-up";
import { fixedSecrets } from "./secrets";
import { authOptions, renewedCookie, sessionCookie } from "./session";
import { readSettings } from "./settings";
import type { SiteParts } from "./site/site-parts";
import { type SiteProcess, startSiteProcess } from "./site/testing";

let site: SiteProcess;
beforeAll(async () => {
  site = await startSiteProcess();
});
afterAll(() => site.close());

const withSettings = (environment: Record<string, string>): SiteParts => ({ ...site.parts, settings: readSettings(environment) });

test("on https the session's cookie is __Host-, secure, without a domain; everywhere it is kept from scripts and other sites (security 9)", () => {
  const secure = sessionCookie(withSettings({ PUBLIC_URL: "https://relay.example" }));
  expect(secure).toEqual({ name: "__Host-relay-session", options: { httpOnly: true, sameSite: "lax", path: "/", secure: true } });
  const plain = sessionCookie(withSettings({}));
  expect(plain).toEqual({ name: "relay-session", options: { httpOnly: true, sameSite: "lax", path: "/", secure: false } });
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
])("after signing in with %s one lands on %s (security 41)", async (url, target) => {
  const { callbacks } = authOptions(withSettings({ PUBLIC_URL: "https://relay.example" }));
  expect(await callbacks?.redirect?.({ url, baseUrl: "https://relay.example" })).toBe(target);
});

test("ways to sign in exist when they are configured, and none joins identities by email (security 12, failures B55)", () => {
  const ids = (parts: SiteParts) => authOptions(parts).providers.map(({ id }) => id);
  expect(ids(withSettings({}))).toEqual(["credentials"]);
  const all = withSettings({ GITHUB_ID: "a", GITHUB_SECRET: "b", GOOGLE_ID: "a", GOOGLE_SECRET: "b", SMTP_URL: "smtp://127.0.0.1:1" });
  expect(ids(all)).toEqual(["credentials", "github", "google", "email"]);
  expect(JSON.stringify(authOptions(all).providers)).not.toContain("allowDangerousEmailAccountLinking");
});

test("a session's token holds while the session does, under this secret only (security 9)", async () => {
  const { userId } = await signUp(site.parts, { email: "token@example.com", password: "correct horse battery" });
  const user = sessionOf(await site.parts.database.user.findUniqueOrThrow({ where: { id: userId } }));
  const cookie = await renewedCookie(site.parts, user, new Headers());
  expect(cookie).toMatch(/^relay-session=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  const text = cookie.slice("relay-session=".length, cookie.indexOf(";"));
  const decode = (given: string, under = site.parts) => authOptions(under).jwt?.decode?.({ token: given, secret: "" });
  const token = await decode(text);
  expect(token).toMatchObject({ sub: userId });
  expect(await decode(text, { ...site.parts, secrets: fixedSecrets("another secret of at least thirty-two characters") })).toBeNull();
  const next = "the next secret, also of at least thirty-two characters";
  const previous = site.parts.secrets.current;
  expect(await decode(text, { ...site.parts, secrets: fixedSecrets(next, previous) })).toMatchObject({ sub: userId });
  expect(await decode(text, { ...site.parts, secrets: fixedSecrets(next) })).toBeNull();
  expect(await decode("nonsense")).toBeNull();
  await authOptions(site.parts).events?.signOut?.({ token: token ?? {}, session: undefined as never });
  expect(await decode(text)).toBeNull();
});
