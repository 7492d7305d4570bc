/** Attacks on passkeys, over the real sessions and a real database. */
import { expect, test } from "vitest";
import { Authenticator } from "@/testing/accounts/authenticator";
import { FactorPeople } from "@/testing/accounts/factor-people";
import { opened } from "@/testing/unit/opened";

const people = await opened(FactorPeople.open(), ({ site }) => site.close());

test("a passkey alone signs in; its challenge works once and in the browser that asked", async () => {
  const { userId, device } = await people.withPasskey();
  const browser = people.newBrowser();
  const wanted = (await browser.call("startPasskeySignIn")).json;
  expect(wanted.passkeys).toEqual([]);
  const body = device.sign(wanted);
  const foreign = people.newBrowser();
  await foreign.call("startPasskeySignIn");
  expect((await foreign.call("signInWithPasskey", body)).code).toBe("passkey_refused");
  expect((await people.newBrowser().call("signInWithPasskey", body)).code).toBe("passkey_refused");
  const challenge = new Map(browser.cookies);
  expect((await browser.call("signInWithPasskey", body)).code).toBe("done");
  expect((await browser.call("showMe")).json.user.id).toBe(userId);
  const again = people.newBrowser();
  for (const [name, value] of challenge) again.cookies.set(name, value);
  expect((await again.call("signInWithPasskey", device.sign(wanted))).code).toBe("passkey_refused");
});

test.each([
  ["another origin", { origin: "https://relay.example.evil.example" }],
  ["another relying party", { rpId: "evil.example" }],
  ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
  ["no verification of the user", { isVerified: false }],
  ["a counter that went back", { counter: 1 }],
])("a passkey's answer with %s is refused, and an honest one accepted", async (_, lie) => {
  const { device } = await people.withPasskey();
  const browser = people.newBrowser();
  const first = (await browser.call("startPasskeySignIn")).json;
  expect((await browser.call("signInWithPasskey", device.sign(first))).code).toBe("done");
  const next = people.newBrowser();
  const wanted = (await next.call("startPasskeySignIn")).json;
  expect((await next.call("signInWithPasskey", device.sign(wanted, lie))).code).toBe(
    "passkey_refused",
  );
  const right = device.sign(wanted, { counter: 9 });
  expect((await next.call("signInWithPasskey", right)).code).toBe("done");
});

test("another user's passkey completes no sign-in, proves nothing, and is not removed", async () => {
  const mine = await people.withPasskey();
  const other = await people.withPasskey();
  const half = await people.pending(mine.userId);
  const step = (await half.call("startPasskeySignIn")).json;
  expect((await half.call("signInWithPasskey", other.device.sign(step))).code).toBe(
    "passkey_refused",
  );
  const proof = (await mine.browser.call("startPasskeyProof")).json;
  const foreign = other.device.sign(proof);
  expect((await mine.browser.call("proveWithPasskey", foreign)).code).toBe("passkey_refused");
  const { passkeys } = (await other.browser.call("showSecondFactor")).json;
  const id = String(passkeys[0].id);
  expect((await mine.browser.call("removePasskey", undefined, id)).code).toBe("not_found");
  expect((await mine.browser.call("renamePasskey", { name: "x" }, id)).code).toBe("not_found");
  const again = (await mine.browser.call("startPasskey")).json;
  expect((await mine.browser.call("addPasskey", other.device.register(again))).code).toBe(
    "passkey_refused",
  );
  const own = (await half.call("startPasskeySignIn")).json;
  expect((await half.call("signInWithPasskey", mine.device.sign(own))).code).toBe("done");
});

test("a challenge for a proof signs nobody in, and the reverse", async () => {
  const { browser, device } = await people.withPasskey();
  const proof = (await browser.call("startPasskeyProof")).json;
  expect((await browser.call("signInWithPasskey", device.sign(proof))).code).toBe(
    "passkey_refused",
  );
  const signIn = (await browser.call("startPasskeySignIn")).json;
  expect((await browser.call("proveWithPasskey", device.sign(signIn))).code).toBe(
    "passkey_refused",
  );
  const again = (await browser.call("startPasskeyProof")).json;
  expect((await browser.call("proveWithPasskey", device.sign(again))).code).toBe("done");
});

const lies = [
  ["another origin", { origin: "https://relay.example.evil.example" }],
  ["our host without TLS", { origin: "http://relay.example" }],
  ["another relying party", { rpId: "evil.example" }],
  ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
  ["no verification of the user", { isVerified: false }],
] as const;

test.each(lies)("a new passkey with %s is refused, and nothing is stored", async (_, lie) => {
  const { userId, browser } = await people.signedIn();
  const device = new Authenticator(people.site.deps.settings.publicUrl);
  const wanted = (await browser.call("startPasskey")).json;
  const given = device.register(wanted, "laptop", lie);
  expect((await browser.call("addPasskey", given)).code).toBe("passkey_refused");
  expect(await people.site.deps.database.passkey.count({ where: { userId } })).toBe(0);
  const right = device.register(wanted);
  expect((await browser.call("addPasskey", right)).code).toBe("done");
});

test("the challenge of a new passkey works once, and in its own session only", async () => {
  const mine = await people.signedIn();
  const other = await people.signedIn();
  const wanted = (await mine.browser.call("startPasskey")).json;
  const sent = new Map(mine.browser.cookies);
  const name = [...sent.keys()].find((each) => each.endsWith("relay-passkey")) ?? "";
  expect(sent.get(name)).toMatch(/./);
  const device = () =>
    new Authenticator(people.site.deps.settings.publicUrl).register(wanted, "laptop");
  other.browser.cookies.set(name, sent.get(name) ?? "");
  expect((await other.browser.call("addPasskey", device())).code).toBe("passkey_refused");
  const again = people.newBrowser();
  for (const [key, value] of sent) again.cookies.set(key, value);
  const both = [mine.browser, again].map((each) => each.call("addPasskey", device()));
  const codes = (await Promise.all(both)).map(({ code }) => code);
  expect(codes.filter((code) => code === "done")).toHaveLength(1);
  const where = { userId: mine.userId };
  expect(await people.site.deps.database.passkey.count({ where })).toBe(1);
});

test("a user has at most twenty passkeys", async () => {
  const { userId, browser } = await people.signedIn();
  await people.site.deps.pool.query(
    `insert into passkey (id, user_id, credential_id, public_key, counter, name)
       select 'psk_' || n || $1, $1, n || $1, 'x', 0, 'x' from generate_series(1, 20) n`,
    [userId],
  );
  const device = new Authenticator(people.site.deps.settings.publicUrl);
  const wanted = (await browser.call("startPasskey")).json;
  const answer = await browser.call("addPasskey", device.register(wanted));
  expect([answer.status, answer.json.error.message]).toEqual([
    400,
    "You have 20 passkeys. Remove one first.",
  ]);
});

test("an operator's passkey signs in from the operators' networks only", async () => {
  const { userId, device } = await people.withPasskey();
  const { deps } = people.site;
  await deps.database.user.update({ where: { id: userId }, data: { isOperator: true } });
  const signInAt = async (networks: string) => {
    const settings = { ...deps.settings, RELAY_OPERATOR_ADDRESSES: networks };
    const browser = people.newBrowser({ ...deps, settings });
    const wanted = (await browser.call("startPasskeySignIn")).json;
    return (await browser.call("signInWithPasskey", device.sign(wanted))).code;
  };
  expect(await signInAt("10.0.0.0/8")).toBe("passkey_refused");
  expect(await signInAt("203.0.113.0/24")).toBe("done");
});
