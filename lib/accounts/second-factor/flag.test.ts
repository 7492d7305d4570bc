import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { inTransaction } from "../../db/transaction";
import { signUp } from "../sign-up";

const site = await opened(startSiteProcess());

test("a passkey added while an app is being set up stays a second factor", async () => {
  const { pool, database } = site.deps;
  const person = {
    email: "f@example.com",
    password: "correct horse battery",
    address: "192.0.2.1",
  };
  const { userId } = await signUp(site.deps, person);
  let app: Promise<unknown> = Promise.resolve();
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into passkey (id, user_id, credential_id, public_key, counter, name)
         values ('psk_1', $1, 'x', 'x', 0, 'laptop')`,
      [userId],
    );
    app = pool.query("insert into user_totp (user_id, sealed) values ($1, $2)", [
      userId,
      Buffer.alloc(29),
    ]);
    const waiting =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
  });
  await app;
  const user = await database.user.findUniqueOrThrow({ where: { id: userId } });
  expect(user.hasSecondFactor).toBe(true);
});

test("a code is used up without waiting for a change of factors, which could wait for it", async () => {
  const { pool, database } = site.deps;
  const { id } = await database.user.findFirstOrThrow();
  await inTransaction(pool, async (client) => {
    await client.query(`update "user" set session_version = 2 where id = $1`, [id]);
    const text = "update user_totp set last_step = 1 where user_id = $1";
    expect((await pool.query(text, [id])).rowCount).toBe(1);
  });
});
