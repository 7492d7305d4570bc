/** With what callbacks are signed. */
import { afterEach, expect, test } from "vitest";
import { openDeliveries, secret } from "@/testing/callbacks/deliveries";
import { type Received, signed, startReceiver } from "@/testing/callbacks/receiver";
import { opened } from "@/testing/unit/opened";
import { newId } from "../crypto/ids";
import { fixedSecrets } from "../crypto/secrets";
import { callbackSecret, sharedCallbackSecret } from "./signature";

const { client, account, openTask, start, stop, rowsOf, waitNoMore } = await opened(
  openDeliveries(),
);
afterEach(stop);

const signatureOf = (received: Received, under = secret, of = account) =>
  signed(received, callbackSecret(under, of.apiKeyId));
const sharedSignatureOf = (received: Received, renewals = 0) =>
  signed(received, sharedCallbackSecret(secret, account.accountId, renewals));

/** Another key of the account. */
async function seedKey(createdAt = new Date()): Promise<typeof account> {
  const apiKeyId = newId("apiKey");
  await client.query(
    "insert into api_key (id, account_id, name, key_hash, hint, created_at) values ($1, $2, 'other', sha256($3), 'hint', $4)",
    [apiKeyId, account.accountId, Buffer.from(apiKeyId), createdAt],
  );
  return { ...account, apiKeyId };
}
const revoke = ({ apiKeyId }: typeof account) =>
  client.query("update api_key set revoked_at = now() where id = $1", [apiKeyId]);
/** As an account of before each key had a secret of its own; null: of after it. */
const shareSince = (moment: Date | null) =>
  client.query("update account set shared_callbacks_since = $2 where id = $1", [
    account.accountId,
    moment,
  ]);

test("a callback is also signed with the previous secret while one is rotated", async () => {
  const receiver = await startReceiver(200);
  const next = "the next secret of at least thirty-two characters";
  start({ secrets: fixedSecrets(next, secret) });
  await openTask(receiver.url);
  await expect.poll(() => receiver.received.length).toBe(1);
  for (const received of receiver.received) {
    const signatures = [next, secret].map((each) => signatureOf(received, each));
    expect(received.headers["webhook-signature"]).toBe(signatures.join(" "));
  }
  await receiver.close();
});

test("each key signs what it ordered with a secret of its own, and nothing once it is revoked", async () => {
  const receiver = await startReceiver(500, 200);
  const [one, other] = [await seedKey(), await seedKey()];
  start();
  const { taskId, fail } = await openTask(receiver.url, {}, one);
  await expect.poll(async () => (await rowsOf(taskId))[0]?.last_answer).toBe("500");
  await openTask(receiver.url, {}, other);
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received.map(({ headers }) => headers["webhook-signature"])).toEqual(
    receiver.received.map((received, place) =>
      signatureOf(received, secret, place === 0 ? one : other),
    ),
  );
  await revoke(one);
  // Neither what waits for another attempt nor a later state is sent.
  await fail();
  await waitNoMore(taskId);
  const ended = { attempts: expect.any(Number), last_answer: "key revoked", over: true };
  await expect
    .poll(() => rowsOf(taskId))
    .toEqual([
      expect.objectContaining({ ...ended, status: "queued" }),
      expect.objectContaining({ ...ended, status: "failed" }),
    ]);
  expect(receiver.received).toHaveLength(2);
  await receiver.close();
});

test("the secret that keys shared before an upgrade signs too: for 90 days, until one that could read it is revoked", async () => {
  const receiver = await startReceiver(200);
  const upgradedAt = new Date(Date.now() - 86_400_000);
  const old = await seedKey(new Date(upgradedAt.getTime() - 1000));
  const [made, gone] = [await seedKey(), await seedKey()];
  start();
  const sent = async (of = made) => {
    const { received } = receiver;
    const before = received.length;
    await openTask(receiver.url, {}, of);
    await expect.poll(() => received.length).toBe(before + 1);
    const last = received.at(-1) as Received;
    return { last, signatures: String(last.headers["webhook-signature"]).split(" ") };
  };
  const both = ({ last, signatures }: Awaited<ReturnType<typeof sent>>, renewals = 0) =>
    expect(signatures).toEqual([
      signatureOf(last, secret, made),
      sharedSignatureOf(last, renewals),
    ]);
  const ownOnly = ({ last, signatures }: Awaited<ReturnType<typeof sent>>) =>
    expect(signatures).toEqual([signatureOf(last, secret, made)]);

  await shareSince(upgradedAt);
  both(await sent());
  await client.query("update account set renewals = 1 where id = $1", [account.accountId]);
  both(await sent(), 1);
  await shareSince(new Date(Date.now() - 91 * 86_400_000));
  ownOnly(await sent());
  await shareSince(upgradedAt);
  // A key that was made later could not read it.
  await revoke(gone);
  both(await sent(), 1);
  await revoke(old);
  ownOnly(await sent());
  await shareSince(null);
  ownOnly(await sent());
  await client.query("update account set renewals = 0 where id = $1", [account.accountId]);
  await receiver.close();
});

test("a task without a callback URL makes no deliveries, and no key has the secret of another or of the account", async () => {
  const { taskId, fail } = await openTask(null);
  await fail();
  expect(await rowsOf(taskId)).toEqual([]);
  expect(callbackSecret(secret, "key_a")).not.toBe(callbackSecret(secret, "key_b"));
  expect(callbackSecret(secret, "key_a")).toMatch(/^whsec_/);
});
