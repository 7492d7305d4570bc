/** Rules about who acts: the same command, called by each principal. */
import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { resumeAccount, setOperator, suspendAccount } from "../commands/accounts";
import { changeApiKey, createApiKey, resumeApiKey, revokeApiKey } from "../commands/api-keys";
import { setAutoTopup } from "../commands/auto-topup";
import { acceptInvitation, inviteMember } from "../commands/invitations";
import { createManagementKey } from "../commands/management-keys";
import { chooseNotifications } from "../commands/notifications";
import { createOperatorKey } from "../commands/operator-keys";
import { setLiveSetting } from "../commands/settings";
import { managementScopes } from "../contract/states";
import { signUp } from "./sign-up";

let made = 0;

function newUser(): Promise<{ userId: string; accountId: string }> {
  const email = `actor${++made}@example.com`;
  const address = `2001:db8:9:${made}::1`;
  return signUp(site.deps, { email, password: "correct horse battery", address });
}

const site = await opened(startSiteProcess());
const { deps } = site;
const owner = await newUser();
const developer = (await newUser()).userId;
const invited = { ...owner, role: "developer", email: null } as const;
const { token } = await inviteMember(deps, owner.userId, invited);
await acceptInvitation(deps, developer, { token });
const scopes = managementScopes;
const manager = { accountId: owner.accountId, name: "all", scopes };
const managementKey = (await createManagementKey(deps, owner.userId, manager)).key.id;
const operator = await newUser();
await setOperator(deps, "cli", { userId: operator.userId, isOperator: true });
const key = { userId: operator.userId, name: "few", scopes: ["settings:write"] } as const;
const operatorKey = (await createOperatorKey(deps, operator.userId, key)).key.id;

const codeOf = (change: Promise<unknown>) =>
  change.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

test("an operator suspends every account but the own one, on the page and by a key; the command line any", async () => {
  const suspend = (actor: string, { accountId }: { accountId: string }) =>
    codeOf(suspendAccount(site.deps, actor, { accountId, reason: "x" }));
  expect(await suspend(operator.userId, operator)).toBe("invalid_value");
  expect(await suspend(operatorKey, operator)).toBe("invalid_value");
  for (const actor of [operator.userId, operatorKey, "cli"])
    expect(await suspend(actor, owner)).toBe("done");
  expect(await suspend("cli", operator)).toBe("done");
  for (const { accountId } of [owner, operator])
    await resumeAccount(site.deps, "cli", { accountId });
});

test("a member changes, pauses no longer and revokes the own keys, and others' only in a role for it", async () => {
  const { deps } = site;
  const { accountId } = owner;
  const newKey = async (actor: string) =>
    (await createApiKey(deps, actor, { accountId, name: "one" })).key.id;
  const others = await newKey(owner.userId);
  const own = await newKey(developer);
  const changes = (actor: string, named: { id: string; accountId: string | null }) => [
    codeOf(changeApiKey(deps, actor, { ...named, name: "two" })),
    codeOf(resumeApiKey(deps, actor, named)),
    codeOf(revokeApiKey(deps, actor, named)),
  ];
  const all = (code: string) => [code, code, code];
  expect(await Promise.all(changes(developer, { id: others, accountId }))).toEqual(
    all("role_not_allowed"),
  );
  expect(await Promise.all(changes(developer, { id: "key_none", accountId }))).toEqual(
    all("not_found"),
  );
  expect(await Promise.all(changes(developer, { id: own, accountId }))).toEqual(all("done"));
  for (const actor of [owner.userId, managementKey, "cli"])
    expect(await Promise.all(changes(actor, { id: await newKey(developer), accountId }))).toEqual(
      all("done"),
    );
  // An operator is no member, and names no account.
  const found = { id: await newKey(developer), accountId: null };
  expect(await Promise.all(changes(operator.userId, found))).toEqual(all("done"));
});

test("when the balance is low is decided by who may change the account, or the command line", async () => {
  const choose = (actor: string, userId: string) =>
    codeOf(
      chooseNotifications(site.deps, actor, { ...owner, userId, locale: "en", lowBalanceDays: 3 }),
    );
  expect(await choose(developer, developer)).toBe("role_not_allowed");
  expect(await choose(owner.userId, owner.userId)).toBe("done");
  expect(await choose("cli", developer)).toBe("done");
});

test("a key sets what its scopes name; a person and the command line every setting", async () => {
  const set = (actor: string, name: string) =>
    codeOf(setLiveSetting(site.deps, actor, { name, value: null }));
  expect(await set(operatorKey, "response_days")).toBe("done");
  expect(await set(operatorKey, "welcome_points")).toBe("scope_missing");
  for (const actor of [operator.userId, "cli"]) expect(await set(actor, "sign_up")).toBe("done");
});

test("automatic top-up that is switched off is set by nobody", async () => {
  const { deps } = site;
  const terms = { accountId: owner.accountId, packageId: "pkg", threshold: 1n, monthMax: 1 };
  await setLiveSetting(deps, "cli", { name: "automatic_topup", value: "no" });
  for (const actor of [owner.userId, "cli"])
    expect(await codeOf(setAutoTopup(deps, actor, terms))).toBe("not_found");
});
