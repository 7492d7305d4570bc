import { expect, test } from "vitest";
import { fixedSecrets } from "../../crypto/secrets";
import { challengeCookie, newChallenge, readChallenge } from "./challenge";

const secrets = fixedSecrets("a secret of at least thirty-two characters");
const refused = expect.objectContaining({ code: "passkey_refused" });

const sent = (boundTo: string, isSecure = true) => {
  const challenge = newChallenge();
  const text = challengeCookie(secrets, challenge, { boundTo, isSecure });
  return { challenge, text, value: /=([^;]*)/.exec(text)?.[1] };
};

test("a challenge is read from its cookie for five minutes, for its own purpose only", () => {
  const { challenge, value } = sent("add session-1");
  expect(readChallenge(secrets, value, "add session-1")).toEqual(challenge);
  const until = challenge.until;
  expect(until - Date.now()).toBeLessThanOrEqual(5 * 60_000);
  expect(readChallenge(secrets, value, "add session-1", until - 1)).toEqual(challenge);
  for (const [boundTo, now] of [
    ["add session-1", until],
    ["add session-2", until - 1],
    ["proof session-1", until - 1],
    ["sign-in browser", until - 1],
  ] as const)
    expect(() => readChallenge(secrets, value, boundTo, now)).toThrow(refused);
});

test.each([undefined, "", "x", "AAAA".repeat(40)])("the cookie %j is refused", (value) => {
  expect(() => readChallenge(secrets, value, "sign-in browser")).toThrow(refused);
});

test("a challenge of another installation's secret is refused", () => {
  const other = fixedSecrets("another secret of at least thirty-two characters");
  expect(() => readChallenge(other, sent("sign-in browser").value, "sign-in browser")).toThrow(
    refused,
  );
});

test("the cookie is for the server alone, this host and this site", () => {
  const rest = "Path=/; Max-Age=300; HttpOnly; SameSite=Strict";
  expect(sent("x").text).toMatch(new RegExp(`^__Host-relay-passkey=[\\w-]+; ${rest}; Secure$`));
  expect(sent("x", false).text).toMatch(new RegExp(`^relay-passkey=[\\w-]+; ${rest}$`));
});
