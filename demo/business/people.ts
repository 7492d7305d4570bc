/** Sign-ups, keys, sessions, and what operators do with accounts. */
import { randomUUID } from "node:crypto";
import { hashPassword } from "@/lib/accounts/password";
import { createSessionStore } from "@/lib/accounts/session-store";
import { signUp } from "@/lib/accounts/sign-up";
import { pauseSuddenSpenders } from "@/lib/accounts/spend-watch";
import { bySignIn, countAttempt } from "@/lib/accounts/throttle";
import { changeAccountGroup } from "@/lib/commands/account-group";
import {
  changeAccount,
  changeKeyDefault,
  changeMultiplier,
  createAccount,
  resumeAccount,
  suspendAccount,
} from "@/lib/commands/accounts";
import { changeApiKey, createApiKey, revokeApiKey } from "@/lib/commands/api-keys";
import { createGroup } from "@/lib/commands/groups";
import { createInvite, revokeInvite } from "@/lib/commands/invites";
import { createManagementKey } from "@/lib/commands/management-keys";
import { renameUser } from "@/lib/commands/users";
import { createWebhook, pauseWebhook } from "@/lib/commands/webhooks";
import { MICROPOINTS_PER_POINT } from "@/lib/points";
import { CUSTOMER, DEMO_PASSWORD, type KeyPlan, OPERATOR, type Person, people } from "../people";
import { DAY, HOUR, joinedAt, keyMadeAt, MINUTE, momentOf } from "../rhythm";
import type { Writing } from "../writing";

const SESSION_DAYS = 30;
const points = (amount: number) => BigInt(Math.round(amount)) * MICROPOINTS_PER_POINT;
const keyName = ({ email }: Person, { name }: KeyPlan) => `${email} ${name}`;

const signUpOf = ({ email, name }: Person, index: number) => ({
  email,
  password: DEMO_PASSWORD,
  name,
  address: `198.51.100.${10 + index}`,
});

/** Operators are created on the command line; others sign up. */
async function join(writing: Writing, person: Person, index: number): Promise<void> {
  const { database, pool, ledger, settings } = writing.demo;
  const { email, name } = person;
  const made = person.isOperator
    ? await createAccount({ database, ledger }, "cli", {
        email,
        passwordHash: await hashPassword(DEMO_PASSWORD),
        name,
        isOperator: true,
        welcomePoints: points(500),
      })
    : await signUp(
        { database, pool, ledger, settings },
        { ...signUpOf(person, index), invite: writing.invites.get(email) },
      );
  await renameUser({ database }, made.userId, { name });
  writing.people.set(email, made);
  await writing.readTerms(made.accountId);
}

function addKey(writing: Writing, person: Person, key: KeyPlan): void {
  const { timeline, given, demo, keys } = writing;
  const { name, requestsPerMinute, models } = key;
  timeline.add(keyMadeAt(given.end, person, key), async () => {
    const { accountId, userId } = writing.person(person.email);
    const expiresAt =
      key.expiresDaysAgo === undefined
        ? null
        : new Date(momentOf(given.end, key.expiresDaysAgo, 12));
    const limits = { requestsPerMinute, models, expiresAt };
    const { key: made } = await createApiKey(demo, userId, { accountId, name, ...limits });
    keys.set(keyName(person, key), made.id);
  });
  const ownKey = () => ({
    id: keys.get(keyName(person, key)) ?? "",
    accountId: writing.person(person.email).accountId,
  });
  const actor = () => writing.person(person.email).userId;
  if (key.revokedDaysAgo !== undefined)
    timeline.add(momentOf(given.end, key.revokedDaysAgo, 12), () =>
      revokeApiKey(demo, actor(), ownKey()),
    );
  const { hourlySpendMax, budgetUsed, budgetMonth, allowedAddresses } = key;
  if (hourlySpendMax !== undefined)
    timeline.add(given.end - 46 * HOUR, () =>
      changeApiKey(demo, actor(), { ...ownKey(), hourlySpendMax: points(hourlySpendMax) }),
    );
  if (allowedAddresses !== undefined)
    timeline.add(given.end - 30 * HOUR, () =>
      changeApiKey(demo, actor(), { ...ownKey(), allowedAddresses }),
    );
  if (budgetMonth !== undefined)
    timeline.add(given.end - 1000, () =>
      changeApiKey(demo, actor(), {
        ...ownKey(),
        budgetMonth: points(budgetMonth),
        budgetZone: "Europe/Stockholm",
      }),
    );
  if (budgetUsed !== undefined)
    timeline.add(given.end - 1000, async () => {
      const { rows } = await demo.pool.query<{ used: string }>(
        `select coalesce(sum(amount), 0) + (select coalesce(sum(hold_amount), 0)
           from open_operation where api_key_id = $1) as used from usage_day where api_key_id = $1`,
        [ownKey().id],
      );
      const used = Number(rows[0]?.used ?? 0) / Number(MICROPOINTS_PER_POINT);
      const budget = points(Math.max(10, Math.ceil(used / budgetUsed / 10) * 10));
      await changeApiKey(demo, actor(), { ...ownKey(), budget });
    });
}

const browsers = {
  laptop:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  phone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  studio: "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
};

function addSessions(writing: Writing): void {
  const { timeline, given, demo } = writing;
  const begin = (email: string, hoursAgo: number, address: string, userAgent: string) =>
    timeline.add(given.end - hoursAgo * HOUR, async () => {
      const expiresAt = new Date(demo.clock.now() + SESSION_DAYS * DAY);
      const start = { sessionId: randomUUID(), sessionVersion: 1, expiresAt, address, userAgent };
      const { userId } = writing.person(email);
      await createSessionStore(demo.database).begin({ ...start, userId });
    });
  begin(CUSTOMER, 19 * 24, "203.0.113.24", browsers.laptop);
  begin(CUSTOMER, 6 * 24 + 3, "203.0.113.24", browsers.phone);
  begin(CUSTOMER, 26, "198.51.100.77", browsers.studio);
  begin(OPERATOR, 50, "192.0.2.8", browsers.laptop);
  begin(OPERATOR, 5, "192.0.2.8", browsers.phone);
  begin("daniel@harborware.example", 71, "203.0.113.90", browsers.studio);
  begin("chen.wei@qinghe-media.example", 9, "203.0.113.140", browsers.laptop);
}

/** The product looks at watched keys every few seconds; here every hour of the last two days. */
function addSpendWatch(writing: Writing): void {
  const { timeline, given, demo } = writing;
  for (let hoursAgo = 45; hoursAgo > 0; hoursAgo--)
    timeline.add(given.end - hoursAgo * HOUR, async () => {
      await writing.writeLastUses();
      await pauseSuddenSpenders(demo.pool);
      const { rows } = await demo.pool.query<{ id: string }>(
        "select id from api_key where paused_at is not null",
      );
      writing.paused = new Set(rows.map(({ id }) => id));
    });
}

function addAccountChanges(writing: Writing): void {
  const { timeline, given, demo } = writing;
  const at = (daysAgo: number, hour: number, run: () => Promise<unknown>) =>
    timeline.add(momentOf(given.end, daysAgo, hour), run);
  const idOf = (email: string) => ({ accountId: writing.person(email).accountId });
  const multiplier = async (
    email: string,
    model: string | null,
    multiplierPpm: number,
    reason: string,
  ) => {
    const change = { ...idOf(email), model, multiplierPpm, reason };
    await changeMultiplier(demo, writing.operator, change);
    await writing.readTerms(change.accountId);
  };
  at(79, 10, () => multiplier("daniel@harborware.example", null, 900_000, "Yearly contract"));
  at(45, 13, () => multiplier(CUSTOMER, "Super-Relay2.0", 850_000, "Launch partner"));
  at(60, 15, () => multiplier("ava@mitchell-brothers.example", null, 1_200_000, "No contract"));
  at(55, 11, async () => {
    const { id: groupId } = await createGroup(demo, writing.operator, {
      name: "Studios",
      multiplierPpm: 950_000,
      models: [],
      modelMultipliers: [{ model: "Super-Relay2.5", multiplierPpm: 900_000 }],
    });
    for (const email of [CUSTOMER, "yuki@kitsune-games.example", "chen.wei@qinghe-media.example"]) {
      const change = { ...idOf(email), groupId, reason: "Makes videos every week" };
      await changeAccountGroup(demo, writing.operator, change);
      await writing.readTerms(change.accountId);
    }
  });
  at(74, 9, () =>
    changeKeyDefault(demo, writing.operator, {
      ...idOf("daniel@harborware.example"),
      requestsPerMinute: 600,
    }),
  );
  const jonas = "jonas@weber-tools.example";
  at(22, 16, () =>
    suspendAccount(demo, writing.secondOperator, {
      ...idOf(jonas),
      reason: "Unusual sign-ins, waiting for an answer",
    }),
  );
  at(20, 9, () => resumeAccount(demo, writing.secondOperator, idOf(jonas)));
  at(27, 10, () =>
    suspendAccount(demo, writing.operator, {
      ...idOf("ava@mitchell-brothers.example"),
      reason: "Card payment disputed",
    }),
  );
  at(52, 12, () =>
    changeAccount(demo, writing.person(CUSTOMER).userId, {
      ...idOf(CUSTOMER),
      lowBalanceNotice: points(1000),
    }),
  );
  timeline.add(given.end - 31 * HOUR, async () => {
    const subject = bySignIn("admin@relay.example");
    for (let tries = 0; tries <= subject.failuresMax; tries++)
      await countAttempt(demo.pool, [subject]).catch(() => {});
  });
}

function addInvites(writing: Writing): void {
  const { timeline, given, demo } = writing;
  const invite = (
    daysAgo: number,
    note: string,
    amount: number | null,
    days: number,
    email?: string,
  ) =>
    timeline.add(momentOf(given.end, daysAgo, 14), async () => {
      const terms = { note, points: amount === null ? null : points(amount), days };
      const { invite: made, code } = await createInvite(demo, writing.operator, terms);
      if (email !== undefined) writing.invites.set(email, code);
      if (note === "Sent to the wrong address")
        timeline.add(demo.clock.now() + 20 * MINUTE, () =>
          revokeInvite(demo, writing.operator, { id: made.id }),
        );
    });
  invite(48, "Design school, autumn course", 2000, 14);
  invite(30, "Sent to the wrong address", null, 7);
  invite(8, "Brightpath, pilot", 1500, 14, "olu@brightpath.example");
  invite(7, "Reseller in Lisbon", 5000, 30);
  invite(2, "Podcast listeners", null, 14);
}

export function addPeople(writing: Writing): void {
  const { timeline, given } = writing;
  people.forEach((person, index) => {
    timeline.add(joinedAt(given.end, person), () => join(writing, person, index));
    for (const key of person.keys) addKey(writing, person, key);
  });
  addSessions(writing);
  addSpendWatch(writing);
  addAccountChanges(writing);
  addInvites(writing);
  timeline.add(momentOf(given.end, 33, 15), () => {
    const { accountId, userId } = writing.person(CUSTOMER);
    const name = "Deploy pipeline";
    return createManagementKey(writing.demo, userId, { accountId, name, scopes: ["keys:write"] });
  });
  timeline.add(momentOf(given.end, 32, 11), async () => {
    const { accountId, userId } = writing.person(CUSTOMER);
    const url = "https://hooks.lumen-films.example/relay";
    const { webhook } = await createWebhook(writing.demo, userId, {
      accountId,
      url,
      kinds: ["payment_paid"],
    });
    await pauseWebhook(writing.demo, userId, { id: webhook.id, accountId });
  });
}
