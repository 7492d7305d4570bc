import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { createInvite } from "../commands/invites";
import { signInWithPassword } from "../commands/sign-in";
import { connectDatabase } from "../db/client";
import { showMe } from "../queries/me";
import { createAccount } from "./create-account";
import { identityStore } from "./identities";
import { countedDomain } from "./mail-domain";
import { mailboxHash } from "./mailbox";
import { sessionOf } from "./session-store";
import { signUp } from "./sign-up";
import type { WelcomeRules } from "./welcome";

const password = "correct horse battery";
const rules: WelcomeRules = {
  points: 1_000_000_000n,
  perAddress: 3,
  perDomain: 3,
  isVerificationNeeded: false,
};

const site = await opened(startSiteProcess());
const database = await opened(connectDatabase(site.databaseUrl, 10), (database) =>
  database.$disconnect(),
);

let people = 0;
const withRules = (set: Record<string, string>) => ({
  ...site.deps,
  settings: {
    ...site.deps.settings,
    RELAY_WELCOME_PER_ADDRESS: "3",
    RELAY_WELCOME_PER_DOMAIN: "3",
    ...set,
  },
});
const make = (address: string, email = `p${++people}@d${people}.example`) =>
  createAccount(database, site.deps.ledger, {
    email,
    welcomePoints: rules.points,
    welcome: { rules, address },
  });
const pointsOf = async (accountId: string) => (await site.deps.ledger.balance(accountId)).available;
const granted = async (made: readonly { accountId: string }[]) => {
  const points = await Promise.all(made.map(({ accountId }) => pointsOf(accountId)));
  return points.filter((each) => each === rules.points).length;
};
const withheldOf = async (accountId: string) =>
  (await database.account.findUniqueOrThrow({ where: { id: accountId } })).welcomeWithheld;

test("of fifty accounts created at once from one address three get welcome points, and the others get the reason", async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => make("192.0.2.1")));
  expect(await granted(made)).toBe(3);
  const reasons = await Promise.all(made.map(({ accountId }) => withheldOf(accountId)));
  expect(reasons.filter((reason) => reason === "address")).toHaveLength(47);
  expect(await granted([await make("192.0.2.2")])).toBe(1);
});

test("the IPv6 addresses of one subscriber count as one", async () => {
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) => make(`2001:db8:1:2::${index.toString(16)}`)),
  );
  expect(await granted(made)).toBe(3);
  expect(await granted([await make("2001:db8:1:3::1")])).toBe(1);
});

test("of fifty accounts created at once with one mail domain and its subdomains three get points, from any number of addresses", async () => {
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      make(`198.51.100.${index}`, `p${index}@s${index}.flood.co.uk`),
    ),
  );
  expect(await granted(made)).toBe(3);
  expect(await withheldOf((await make("203.0.113.1", "one@flood.co.uk")).accountId)).toBe("domain");
  const open = await Promise.all(
    Array.from({ length: 6 }, (_, index) => make(`203.0.113.${index + 10}`, `p${index}@gmail.com`)),
  );
  expect(await granted(open)).toBe(6);
});

test("the count ends after a day", async () => {
  for (let each = 0; each < 3; each++) await make("192.0.2.50");
  await database.welcomeGrant.updateMany({
    where: { addressGroup: "192.0.2.50" },
    data: { at: new Date(Date.now() - 25 * 3_600_000) },
  });
  expect(await granted([await make("192.0.2.50")])).toBe(1);
  expect(await database.welcomeGrant.count({ where: { addressGroup: "192.0.2.50" } })).toBe(1);
});

test("sign-ups count, the page says why there are no points, and invitations do not count", async () => {
  const deps = withRules({ RELAY_WELCOME_PER_ADDRESS: "1" });
  const address = "192.0.2.60";
  const first = await signUp(deps, { email: "one@one.example", password, address });
  const second = await signUp(deps, { email: "two@two.example", password, address });
  expect([await pointsOf(first.accountId), await pointsOf(second.accountId)]).toEqual([
    rules.points,
    0n,
  ]);
  const session = sessionOf(
    await database.user.findUniqueOrThrow({ where: { id: second.userId } }),
  );
  expect((await showMe(deps, session)).account.welcomeWithheld).toBe("address");
  // A second sign-in grants nothing.
  await signInWithPassword(deps, { email: "two@two.example", password, address });
  expect(await pointsOf(second.accountId)).toBe(0n);
  const { code } = await createInvite({ database }, "cli", { note: null, points: null, days: 1 });
  const invited = await signUp(deps, {
    email: "three@three.example",
    password,
    address,
    invite: code,
  });
  expect(await pointsOf(invited.accountId)).toBe(rules.points);
  const unlimited = withRules({ RELAY_WELCOME_PER_ADDRESS: "none" });
  const more = await signUp(unlimited, { email: "four@four.example", password, address });
  expect(await pointsOf(more.accountId)).toBe(rules.points);
});

test("where points wait for a verified address, the verification grants them once and counts", async () => {
  const deps = withRules({ RELAY_WELCOME_VERIFIED: "yes" });
  Object.assign(deps.settings, { SMTP_URL: "smtp://127.0.0.1:1" });
  const store = identityStore(deps, { address: async () => "192.0.2.70" });
  const person = await store.createUser({ email: "wait@wait.example", emailVerified: null });
  const { accountId } = await database.user.findUniqueOrThrow({ where: { id: person.id } });
  expect([await pointsOf(accountId), await withheldOf(accountId)]).toEqual([0n, "unverified"]);
  await Promise.all(
    Array.from({ length: 5 }, () => store.updateUser({ id: person.id, emailVerified: new Date() })),
  );
  expect([await pointsOf(accountId), await withheldOf(accountId)]).toEqual([rules.points, null]);
  await store.updateUser({ id: person.id, emailVerified: new Date() });
  expect(await pointsOf(accountId)).toBe(rules.points);
  expect(await database.welcomeGrant.count({ where: { accountId } })).toBe(1);
  const verified = await store.createUser({
    email: "proved@proved.example",
    emailVerified: new Date(),
  });
  const proved = await database.user.findUniqueOrThrow({ where: { id: verified.id } });
  expect(await pointsOf(proved.accountId)).toBe(rules.points);
});

test("of fifty accounts created at once for the addresses of one mailbox one gets points, and no later one", async () => {
  const addresses = (index: number) =>
    [`ada.love+${index}@gmail.com`, `A.d.a.Love+${index}@GoogleMail.com`][index % 2] ?? "";
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, index) => make(`198.18.0.${index}`, addresses(index))),
  );
  expect(await granted(made)).toBe(1);
  const reasons = await Promise.all(made.map(({ accountId }) => withheldOf(accountId)));
  expect(reasons.filter((reason) => reason === "mailbox")).toHaveLength(49);
  // Also when no account has one of its addresses any more.
  for (const [index, { userId: id }] of made.entries())
    await database.user.update({ where: { id }, data: { email: `erased${index}@erased.example` } });
  expect(await withheldOf((await make("198.18.1.1", "adalove@gmail.com")).accountId)).toBe(
    "mailbox",
  );
  // A mailbox may have any number of accounts: only the points are bounded.
  expect(await granted([await make("198.18.1.2", "ada.love@example.com")])).toBe(1);
});

test("the points of an invitation count as those of its mailbox; the invitation itself is not bounded", async () => {
  const invited = async (email: string) => {
    const { code } = await createInvite({ database }, "cli", { note: null, points: null, days: 1 });
    return signUp(withRules({}), { email, password, address: "198.18.2.1", invite: code });
  };
  const made = [await invited("guest@guest.example"), await invited("guest+2@guest.example")];
  expect(await granted(made)).toBe(2);
  const deps = withRules({});
  const alone = { email: "guest+3@guest.example", password, address: "198.18.2.2" };
  const { accountId } = await signUp(deps, alone);
  expect([await pointsOf(accountId), await withheldOf(accountId)]).toEqual([0n, "mailbox"]);
});

test("the upgrade knows the mailboxes of the accounts that there are", async () => {
  const emails = [
    "x.y+z@gmail.com",
    "x.y@googlemail.com",
    "a.b+c@pm.me",
    "a+b+c@d.example",
    "q@me.com",
  ];
  const made = [];
  for (const [index, email] of emails.entries()) made.push(await make(`198.18.3.${index}`, email));
  const folder = "prisma/migrations/20261205740100_mailbox_gifts";
  const migration = readFileSync(
    join(import.meta.dirname, "../..", folder, "migration.sql"),
    "utf8",
  );
  const [, query = ""] = /insert into mailbox_gift [^\n]*\n(select .*);/s.exec(migration) ?? [];
  const { rows } = await site.deps.pool.query<{ hash: Buffer; account_id: string }>(query);
  const found = new Map(rows.map((row) => [row.hash.toString("hex"), row.account_id]));
  // The second is withheld: it is of the mailbox of the first.
  for (const [index, email] of emails.entries())
    expect(found.get(mailboxHash(email)), email).toBe(made[index === 1 ? 0 : index]?.accountId);
});

test.each([
  ["a@Example.com", "example.com"],
  ["a@mail.example.com", "example.com"],
  ["a@x.y.example.co.uk", "example.co.uk"],
  ["a@example.de.", "example.de"],
  ["a@GMAIL.com", null],
  ["a@qq.com", null],
  ["a@localhost", "localhost"],
])("%s counts for %s", (email, domain) => {
  expect(countedDomain(email)).toBe(domain);
});
