/** Sign-ups, keys, sessions, invitations, and the colleagues who work in the customer's account. */
import { randomUUID } from "node:crypto";
import { hashPassword } from "@/lib/accounts/password";
import { createSessionStore } from "@/lib/accounts/session-store";
import { signUp } from "@/lib/accounts/sign-up";
import { createAccount } from "@/lib/commands/accounts";
import { changeApiKey, createApiKey, revokeApiKey } from "@/lib/commands/api-keys";
import { acceptInvitation, inviteMember } from "@/lib/commands/invitations";
import { createInvite, revokeInvite } from "@/lib/commands/invites";
import { createManagementKey } from "@/lib/commands/management-keys";
import { changeMemberBudget } from "@/lib/commands/member-budget";
import { nameAccount } from "@/lib/commands/members";
import { renameUser } from "@/lib/commands/users";
import { createWebhook, pauseWebhook } from "@/lib/commands/webhooks";
import {
  CUSTOMER,
  DEMO_PASSWORD,
  joinedAt,
  type KeyPlan,
  keyMadeAt,
  OPERATOR,
  type Person,
  people,
} from "../people";
import { DAY, momentOf } from "../times";
import { points, type Writing } from "../writing";

/** Operators are created on the command line; others sign up. */
async function join(writing: Writing, person: Person, address: string): Promise<void> {
  const { database, ledger } = writing.demo;
  const { email, name } = person;
  const made = person.isOperator
    ? await createAccount({ database, ledger }, "cli", {
        ...{ email, name, isOperator: true, welcomePoints: points(500) },
        passwordHash: await hashPassword(DEMO_PASSWORD),
      })
    : await signUp(writing.demo, {
        ...{ email, name, address, password: DEMO_PASSWORD },
        invite: writing.invites.get(email),
      });
  await renameUser({ database }, made.userId, { name });
  writing.people.set(email, made);
}

function addKey(writing: Writing, person: Person, key: KeyPlan): void {
  const { timeline, given, demo, keys } = writing;
  const { name, requestsPerMinute, models, expiresDaysAgo, revokedDaysAgo } = key;
  const keyName = `${person.email} ${name}`;
  timeline.add(keyMadeAt(given.end, person, key), async () => {
    const { accountId, userId } = writing.person(person.email);
    const expiresAt =
      expiresDaysAgo === undefined ? null : new Date(momentOf(given.end, expiresDaysAgo, 12));
    const limits = { requestsPerMinute, models, expiresAt };
    const { key: made } = await createApiKey(demo, userId, { accountId, name, ...limits });
    keys.set(keyName, made.id);
  });
  const own = () => {
    const { accountId, userId } = writing.person(person.email);
    return [userId, { id: keys.get(keyName) ?? "", accountId }] as const;
  };
  const change = (hoursAgo: number, terms: object) =>
    writing.ago(hoursAgo, () => {
      const [actor, of] = own();
      return changeApiKey(demo, actor, { ...of, ...terms });
    });
  if (revokedDaysAgo !== undefined)
    writing.at(revokedDaysAgo, 12, () => revokeApiKey(demo, ...own()));
  const { hourlySpendMax, budgetUsed, budgetMonth, allowedAddresses } = key;
  if (hourlySpendMax !== undefined) change(46, { hourlySpendMax: points(hourlySpendMax) });
  if (allowedAddresses !== undefined) change(30, { allowedAddresses });
  if (budgetMonth !== undefined)
    change(1 / 3600, { budgetMonth: points(budgetMonth), budgetZone: "Europe/Stockholm" });
  if (budgetUsed !== undefined)
    writing.ago(1 / 3600, async () => {
      const [actor, of] = own();
      const { rows } = await demo.pool.query<{ used: number }>(
        `select (coalesce(sum(amount), 0) + (select coalesce(sum(hold_amount), 0)
           from open_request where api_key_id = $1))::float8 / 1000000 as used
           from usage_of_day where api_key_id = $1`,
        [of.id],
      );
      const budget = Math.max(10, Math.ceil((rows[0]?.used ?? 0) / budgetUsed / 10) * 10);
      await changeApiKey(demo, actor, { ...of, budget: points(budget) });
    });
}

const browsers = {
  laptop:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  phone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  studio: "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
};

const sessions = [
  [CUSTOMER, 19 * 24, "203.0.113.24", "laptop"],
  [CUSTOMER, 6 * 24 + 3, "203.0.113.24", "phone"],
  [CUSTOMER, 26, "198.51.100.77", "studio"],
  [OPERATOR, 50, "192.0.2.8", "laptop"],
  [OPERATOR, 5, "192.0.2.8", "phone"],
  ["daniel@harborware.example", 71, "203.0.113.90", "studio"],
  ["chen.wei@qinghe-media.example", 9, "203.0.113.140", "laptop"],
] as const;

/** Days ago, the note, points, days, and who uses it. */
const invites = [
  [48, "Design school, autumn course", 2000, 14],
  [30, "Sent to the wrong address", null, 7],
  [8, "Brightpath, pilot", 1500, 14, "olu@brightpath.example"],
  [7, "Reseller in Lisbon", 5000, 30],
  [2, "Podcast listeners", null, 14],
] as const;

function addInvites(writing: Writing): void {
  const { demo } = writing;
  for (const [daysAgo, note, amount, days, email] of invites)
    writing.at(daysAgo, 14, async () => {
      const terms = { note, points: amount === null ? null : points(amount), days };
      const { invite, code } = await createInvite(demo, writing.operator, terms);
      if (email !== undefined) writing.invites.set(email, code);
      if (note === "Sent to the wrong address")
        writing.later(20, () => revokeInvite(demo, writing.operator, { id: invite.id }));
    });
}

const colleagues = [
  { name: "Ines Duarte", email: "ines@lumen-films.example", role: "developer", daysAgo: 41 },
  { name: "Theo Brandt", email: "theo@lumen-films.example", role: "billing", daysAgo: 33 },
] as const;

function addTeam(writing: Writing): void {
  const { demo } = writing;
  const owner = () => writing.person(CUSTOMER);
  const invite = (role: "developer" | "billing" | "viewer") => {
    const { accountId, userId: acting } = owner();
    return inviteMember(demo, acting, { accountId, role, email: null });
  };
  writing.at(42, 9, () =>
    nameAccount(demo, owner().userId, { accountId: owner().accountId, name: "Lumen Films" }),
  );
  for (const [index, { name, email, role, daysAgo }] of colleagues.entries())
    writing.at(daysAgo, 10, async () => {
      const address = `198.51.100.${90 + index}`;
      const { userId } = await signUp(demo, { email, password: DEMO_PASSWORD, name, address });
      const { token } = await invite(role);
      await acceptInvitation(demo, userId, { token });
      const { accountId, userId: acting } = owner();
      if (role !== "developer") return;
      await createApiKey(demo, userId, { accountId, name: "storyboards", budget: null });
      const budget = { budgetWeek: points(2000), budgetZone: "Europe/Berlin" };
      writing.ago(2 / 3600, () =>
        changeMemberBudget(demo, acting, { accountId, userId, ...budget }),
      );
    });
  writing.ago(1 / 3600, () => invite("viewer"));
}

export function addPeople(writing: Writing): void {
  const { timeline, given, demo } = writing;
  people.forEach((person, index) => {
    const address = `198.51.100.${10 + index}`;
    timeline.add(joinedAt(given.end, person), () => join(writing, person, address));
    for (const key of person.keys) addKey(writing, person, key);
  });
  for (const [email, hoursAgo, address, browser] of sessions)
    writing.ago(hoursAgo, async () => {
      const expiresAt = new Date(demo.clock.now() + 30 * DAY);
      const start = { sessionId: randomUUID(), sessionVersion: 1, expiresAt, address };
      const { userId } = writing.person(email);
      const userAgent = browsers[browser];
      await createSessionStore(demo.database).begin({ ...start, userAgent, userId });
    });
  addInvites(writing);
  addTeam(writing);
  writing.at(33, 15, () => {
    const { accountId, userId } = writing.person(CUSTOMER);
    const name = "Deploy pipeline";
    return createManagementKey(demo, userId, { accountId, name, scopes: ["keys:write"] });
  });
  writing.at(32, 11, async () => {
    const { accountId, userId } = writing.person(CUSTOMER);
    const url = "https://hooks.lumen-films.example/relay";
    const kinds = ["payment_paid" as const];
    const { webhook } = await createWebhook(demo, userId, { accountId, url, kinds });
    await pauseWebhook(demo, userId, { id: webhook.id, accountId });
  });
}
