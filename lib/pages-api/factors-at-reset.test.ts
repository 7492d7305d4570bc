/** What a link for a new password does with second factors. */
import { expect, test } from "vitest";
import { Authenticator } from "@/testing/accounts/authenticator";
import { codeOf, FactorPeople } from "@/testing/accounts/factor-people";
import { opened } from "@/testing/unit/opened";
import { inTransaction } from "../db/transaction";

const people = await opened(FactorPeople.open(), ({ site }) => site.close());

const next = "another horse battery";

async function reset(email: string): Promise<string> {
  const token = await people.site.resetToken(email);
  return (await people.newBrowser().call("resetPassword", { token, newPassword: next })).code;
}

const prove = (userId: string) =>
  people.site.deps.database.user.update({
    where: { id: userId },
    data: { emailVerifiedAt: new Date() },
  });

async function factorsOf(userId: string) {
  const { user, userTotp, passkey, recoveryCode } = people.site.deps.database;
  const where = { userId };
  const { hasSecondFactor } = await user.findUniqueOrThrow({ where: { id: userId } });
  const counts = [
    userTotp.count({ where }),
    passkey.count({ where }),
    recoveryCode.count({ where }),
  ];
  return { hasSecondFactor, counts: await Promise.all(counts) };
}

test("a new password does not replace the factors of a proven address", async () => {
  const { userId, email, secret, browser } = await people.withApp();
  await prove(userId);
  expect(await reset(email)).toBe("done");
  expect((await browser.call("showMe")).code).toBe("sign_in_required");
  const half = await people.pending(userId);
  expect((await half.call("showMe")).code).toBe("sign_in_required");
  expect((await half.call("completeWithCode", { code: codeOf(secret, 1) })).code).toBe("done");
});

test("the first proof of an address removes the factors of whoever was there before", async () => {
  const { userId, email, browser, codes } = await people.withApp();
  const device = new Authenticator(people.site.deps.settings.publicUrl);
  const wanted = (await browser.call("startPasskey")).json;
  expect((await browser.call("addPasskey", device.register(wanted))).code).toBe("done");
  const half = await people.pending(userId);
  expect(await reset(email)).toBe("done");
  expect(await factorsOf(userId)).toEqual({ hasSecondFactor: false, counts: [0, 0, 0] });
  expect((await browser.call("showMe")).code).toBe("sign_in_required");
  expect((await half.call("completeWithCode", { code: codes[0] })).code).toBe("sign_in_required");
  const rows = await people.site.deps.database.operatorAction.findMany({
    where: { subject: userId, action: { in: ["second_factor.reset", "password.reset"] } },
  });
  expect(rows.map(({ action }) => action)).toEqual(["password.reset"]);
  expect(rows[0]?.detail).toMatchObject({ found: { passkeys: 1, apps: 1 } });
  const step = (await people.newBrowser().call("startPasskeySignIn")).json;
  expect((await people.newBrowser().call("signInWithPasskey", device.sign(step))).code).toBe(
    "passkey_refused",
  );
  const own = people.newBrowser();
  expect(await own.passFirstStep(userId)).toEqual({});
  expect((await own.call("showMe")).status).toBe(200);
});

test("a factor that a stranger's session adds during the first proof does not stay", async () => {
  const { userId, email, browser } = await people.signedIn();
  const device = new Authenticator(people.site.deps.settings.publicUrl);
  const wanted = (await browser.call("startPasskey")).json;
  const token = await people.site.resetToken(email);
  const { pool } = people.site.deps;
  const locked =
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const waiting = async () => (await pool.query(locked)).rowCount;
  const both = await inTransaction(pool, async (client) => {
    await client.query(`select 1 from "user" where id = $1 for update`, [userId]);
    const adding = browser.call("addPasskey", device.register(wanted));
    await expect.poll(waiting).toBe(1);
    const resetting = people.newBrowser().call("resetPassword", { token, newPassword: next });
    await expect.poll(waiting).toBe(2);
    return [adding, resetting];
  });
  expect((await Promise.all(both)).map(({ code }) => code)).toEqual(["done", "done"]);
  expect(await factorsOf(userId)).toEqual({ hasSecondFactor: false, counts: [0, 0, 0] });
});
