/** Users with accounts and browsers, for tests of an account's members. */
import { expect } from "vitest";
import { createApiKey } from "@/lib/commands/api-keys";
import type { GivenRole } from "@/lib/contract/members";
import { newUserOf } from "@/testing/pages-api/new-user";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import { TestBrowser } from "./test-browser";

export interface Person {
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  readonly browser: TestBrowser;
}

let made = 0;

/** A user with an account, signed in. */
export async function newPerson({ deps }: SiteProcess): Promise<Person> {
  const email = `person${++made}@example.com`;
  const address = `2001:db8:0:${made.toString(16)}::1`;
  const { userId, accountId } = await newUserOf(deps, email, address);
  const browser = new TestBrowser(deps);
  await browser.passFirstStep(userId);
  return { userId, accountId, email, browser };
}

/** Another user, who joined the owner's account, and whose browser shows it. */
export async function newMember(
  site: SiteProcess,
  owner: Person,
  role: GivenRole,
): Promise<Person> {
  const joined = await newPerson(site);
  const { json } = await owner.browser.call("inviteMember", { role, email: null });
  const token = new URL(json.link).searchParams.get("token");
  expect((await joined.browser.call("acceptInvitation", { token })).code).toBe("done");
  return joined;
}

export async function shownBy({ browser }: Person) {
  const { json } = await browser.call("showMe");
  return { account: json.account.id, role: json.user.role };
}

/** The role of each member. */
export async function rolesIn(
  { deps }: SiteProcess,
  accountId: string,
): Promise<Record<string, string>> {
  const rows = await deps.database.accountMember.findMany({ where: { accountId } });
  return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]));
}

export async function newKeyOf({ deps }: SiteProcess, accountId: string, maker: string) {
  const wanted = { accountId, name: "made", budget: null };
  return (await createApiKey(deps, maker, wanted)).key;
}

export async function isRevoked({ deps }: SiteProcess, id: string): Promise<boolean> {
  return (await deps.database.apiKey.findUniqueOrThrow({ where: { id } })).revokedAt !== null;
}
