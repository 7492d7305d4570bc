import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { startTotp } from "../../commands/second-factor";
import { fixedSecrets } from "../../crypto/secrets";
import { hasPrevious, reseal } from "../../db/reseal";
import { signUp } from "../sign-up";
import { fittingTotp, openTotp, sealedTotp, stepOfCode, totpUri } from "./totp";

const site = await opened(startSiteProcess());

/** RFC 6238, appendix B, with six digits. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
test.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1234567890, "005924"],
  [20000000000, "353130"],
])("the code at second %d is %s", (second, code) => {
  const step = Math.floor(second / 30);
  expect(stepOfCode(SECRET, code, second * 1000)).toBe(BigInt(step));
  expect(stepOfCode(SECRET, code, (second + 30) * 1000)).toBe(BigInt(step));
  expect(stepOfCode(SECRET, code, (second + 60) * 1000)).toBeNull();
  expect(stepOfCode(SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, second * 1000)).not.toBeNull();
});

test("an app reads the installation, the address and the key", () => {
  const uri = new URL(totpUri(SECRET, "relay.example", "ada@example.com"));
  expect([uri.protocol, uri.searchParams.get("secret"), uri.searchParams.get("issuer")]).toEqual([
    "otpauth:",
    SECRET,
    "relay.example",
  ]);
});

test("a secret is encrypted, bound to its user, and re-encrypted under a new secret", async () => {
  const { database, pool, secrets } = site.deps;
  const person = {
    email: "t@example.com",
    password: "correct horse battery",
    address: "192.0.2.1",
  };
  const { userId } = await signUp(site.deps, person);
  const secret = await startTotp(site.deps, { userId, sessionVersion: 1 });
  expect(JSON.stringify(await site.dump())).not.toContain(secret);
  const sealedNow = async () =>
    (await database.userTotp.findUniqueOrThrow({ where: { userId } })).sealed;
  expect(openTotp(secrets.current, userId, await sealedNow())).toBe(secret);
  expect(openTotp(secrets.current, "user_other", await sealedNow())).toBeNull();
  const next = "another secret of at least thirty-two characters";
  const rotating = fixedSecrets(next, secrets.current);
  expect(fittingTotp(rotating, userId, await sealedNow())).toBe(secret);
  expect(await hasPrevious(pool, sealedTotp, rotating)).toBe(true);
  await reseal(pool, sealedTotp, rotating);
  expect(await hasPrevious(pool, sealedTotp, rotating)).toBe(false);
  expect(openTotp(next, userId, await sealedNow())).toBe(secret);
  expect(openTotp(secrets.current, userId, await sealedNow())).toBeNull();
});
