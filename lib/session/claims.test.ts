/** What an issuer says of a person is checked before it is believed. */
import { expect, test } from "vitest";
import { readSettings } from "../settings/settings";
import {
  claimsOf,
  googlePersonOf,
  isIssuedByNow,
  oidcProvider,
  verifiedEmail,
  verifiedPrimary,
} from "./oidc-provider";

const settings = readSettings({
  OIDC_ISSUER: "https://id.example",
  OIDC_CLIENT_ID: "a",
  OIDC_CLIENT_SECRET: "b",
});
const personOf = (claims: object) =>
  oidcProvider(settings)?.profile(
    { iss: "https://id.example", sub: "1", email: "a@b.example", email_verified: true, ...claims },
    {},
  );

test.each([false, "false", "False", "true", "no", 0, 1, null, undefined, {}, [true]])(
  "an address with email_verified %j is none",
  async (email_verified) => {
    expect(verifiedEmail("a@b.example", email_verified)).toBeNull();
    expect(await personOf({ email_verified })).toMatchObject({ email: null });
    const google = { sub: "1", name: "A", picture: "", email: "a@b.example", email_verified };
    expect(googlePersonOf(google as never).email).toBeNull();
    const row = { email: "a@b.example", primary: true, verified: email_verified };
    expect(verifiedPrimary([row])).toBeNull();
  },
);

test.each(["root", "a@b", "@b.example", "a@@b.example", "a b@c.example", "a@b.example\n", 7, null])(
  "%j is no address",
  async (email) => {
    expect(await personOf({ email })).toMatchObject({ email: null });
  },
);

test("a verified address is taken as it is, and GitHub's primary one", async () => {
  expect(await personOf({})).toMatchObject({ id: "https://id.example 1", email: "a@b.example" });
  const rows = [
    { email: "other@b.example", primary: false, verified: true },
    { email: "a@b.example", primary: true, verified: true },
  ];
  expect(verifiedPrimary(rows)).toBe("a@b.example");
  expect(verifiedPrimary(rows.slice(0, 1))).toBeNull();
  expect(verifiedPrimary({ message: "Bad credentials" })).toBeNull();
});

test("a token is of a time that has come", () => {
  const now = 1_800_000_000_000;
  const at = (iat: unknown) => isIssuedByNow({ iat }, now);
  expect([at(now / 1000), at(now / 1000 + 299), at(now / 1000 + 301)]).toEqual([true, true, false]);
  for (const iat of [undefined, null, "1800000000", Number.NaN, Infinity, 0, -1])
    expect([iat, at(iat)]).toEqual([iat, false]);
  expect(isIssuedByNow(null, now)).toBe(false);
});

test("a subject is one line, and a name becomes one", async () => {
  for (const sub of ["", "a\nb", "a\u2028b", "a\u202eb", "x".repeat(256), 7, null])
    await expect(async () => personOf({ sub })).rejects.toThrow("subject");
  const name = "Ada\u202e\u2028\r\nLovelace ".padEnd(500, "x");
  const person = await personOf({ name });
  expect(person?.name).toMatch(/^Ada Lovelace x+$/);
  expect(person?.name?.length).toBe(80);
  for (const empty of ["\u202e", " ", 7, null])
    expect(await personOf({ name: empty })).toMatchObject({ name: null });
});

test("claims that are not in the token are asked of the issuer, which does not change those of the token", async () => {
  let asked = 0;
  const info = { sub: "1", iat: 1, email: "a@b.example", email_verified: true, name: "Ada" };
  const ask = async () => {
    asked++;
    return info;
  };
  const whole = { sub: "1", email: "z@b.example", email_verified: false };
  expect(await claimsOf({ sub: "1", iat: 2 }, ask)).toEqual({ ...info, iat: 2 });
  expect(await claimsOf(whole, ask)).toEqual(whole);
  expect(await claimsOf({ sub: "1", iat: 2 }, null)).toEqual({ sub: "1", iat: 2 });
  await expect(claimsOf({ sub: "2" }, ask)).rejects.toThrow("another subject");
  expect(asked).toBe(2);
});

test("an issuer's word that an address is verified is not taken for another address", async () => {
  const ask = async () => ({ sub: "1", email: "a@b.example", email_verified: true });
  const claims = { sub: "1", email: "victim@b.example" };
  expect(await claimsOf(claims, ask)).toMatchObject({ email: "a@b.example", email_verified: true });
});
