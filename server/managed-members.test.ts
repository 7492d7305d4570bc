/** Members by API, over HTTP against the process as it is composed. */
import { expect, test } from "vitest";
import { createAccount } from "@/lib/accounts/create-account";
import { acceptInvitation, inviteMember } from "@/lib/commands/invitations";
import { revokeManagementKey } from "@/lib/commands/management-keys";
import { removeMember } from "@/lib/commands/members";
import { scopesToGive } from "@/lib/contract/key-roles";
import { type ManagementScope, managementScopes } from "@/lib/contract/states";
import { managedSite } from "@/testing/composition/managed-site";
import { errorOf, newManager } from "@/testing/composition/managers";

const site = await managedSite();
const { ask } = site;
const actionsOn = (subject: string) =>
  site.composed.database.operatorAction.findMany({ where: { subject }, orderBy: { seq: "asc" } });

let made = 0;
async function newUser() {
  const { composed } = site;
  const email = `member${++made}@example.com`;
  const { userId } = await createAccount(composed.database, composed.tool, {
    email,
  });
  return { userId, email };
}

/** A user who joined by an invitation of the members' page. */
async function newAdmin() {
  const { userId: id, email } = await newUser();
  const { accountId } = site.composed;
  const wanted = { accountId, role: "admin", email: null } as const;
  const { token } = await inviteMember(site.composed, "test", wanted);
  await acceptInvitation(site.composed, id, { token });
  return { id, email };
}

/** A user who joined by an invitation of the API. */
async function newMember(role = "developer") {
  const invited = await ask("POST", "/v1/invitations", { role });
  expect(invited).toMatchObject({ status: 200, json: { object: "invitation", role, email: null } });
  const token = new URL(invited.json.link).searchParams.get("token") ?? "";
  const { userId, email } = await newUser();
  await acceptInvitation(site.composed, userId, { token });
  return { id: userId, email, invitation: invited.json.id };
}

test("a member is invited, read, given a role and budgets, and removed, with the rows that the page would write", async () => {
  const { id, email, invitation } = await newMember();
  const path = `/v1/members/${id}`;
  const shown = { id, object: "member", email, role: "developer", recurring_budgets: [] };
  expect((await ask("GET", path)).json).toMatchObject(shown);
  const listed = (await ask("GET", "/v1/members")).json;
  expect(listed.data).toContainEqual(expect.objectContaining({ id }));
  expect(listed.data[0].role).toBe("owner");
  const changed = await ask("PATCH", path, {
    role: "viewer",
    day_budget_points: 5,
    month_budget_points: 50.5,
    budget_zone: "Europe/Berlin",
  });
  expect(changed.json).toMatchObject({
    role: "viewer",
    recurring_budgets: [
      { period: "day", budget_points: 5, remaining_points: 5, zone: "Europe/Berlin" },
      { period: "month", budget_points: 50.5, spent_points: 0, held_points: 0 },
    ],
  });
  const lifted = await ask("PATCH", path, { day_budget_points: null });
  expect(lifted.json.recurring_budgets).toMatchObject([{ period: "month", budget_points: 50.5 }]);
  // Repeated, it changes nothing.
  await ask("PATCH", path, { day_budget_points: null, role: "viewer" });
  expect((await ask("DELETE", path)).json).toEqual({ id, object: "member", removed: true });
  expect(errorOf(await ask("GET", path))).toEqual([404, "not_found", null]);
  const actions = await actionsOn(id);
  expect(actions.map(({ action, actor }) => [action, actor])).toEqual(
    ["member.budget", "member.role", "member.budget", "member.remove"].map((name) => [
      name,
      site.manager.id,
    ]),
  );
  expect(actions[0]?.detail).toMatchObject({
    after: { budgetDay: "5.000000", budgetMonth: "50.500000", budgetZone: "Europe/Berlin" },
  });
  expect((await actionsOn(invitation))[0]).toMatchObject({
    action: "invitation.create",
    actor: site.manager.id,
  });
});

test("a change that is refused in part is refused as a whole", async () => {
  const { id } = await newMember();
  const path = `/v1/members/${id}`;
  const before = (await ask("GET", path)).json;
  const refused = await ask("PATCH", path, { role: "admin", day_budget_points: 7 });
  expect(errorOf(refused)).toEqual([403, "role_not_allowed", "role"]);
  expect((await ask("GET", path)).json).toEqual(before);
  expect(await actionsOn(id)).toEqual([]);
});

test("an invitation is made once for each Idempotency-Key, listed, and revoked", async () => {
  const body = { role: "billing", email: "New@Example.com" };
  const headers = { "idempotency-key": crypto.randomUUID() };
  const [one, two] = [
    await ask("POST", "/v1/invitations", body, { headers }),
    await ask("POST", "/v1/invitations", body, { headers }),
  ];
  expect([two.json, two.headers.get("idempotent-replayed")]).toEqual([one.json, "true"]);
  expect(one.json.email).toBe("new@example.com");
  const listed = (await ask("GET", "/v1/invitations")).json.data;
  expect(listed).toContainEqual(expect.objectContaining({ id: one.json.id, role: "billing" }));
  expect(JSON.stringify(listed)).not.toContain("token=");
  for (const _ of [1, 2])
    expect((await ask("DELETE", `/v1/invitations/${one.json.id}`)).json).toEqual({
      id: one.json.id,
      object: "invitation",
      revoked: true,
    });
  expect(await actionsOn(one.json.id)).toHaveLength(2);
});

test("an invitation ends with the key that makes it, also when that key expires", async () => {
  const { accountId } = site.composed;
  const { database } = site.composed;
  const { id, secret } = await newManager(site.composed, accountId);
  const expiresAt = new Date(Date.now() + 3_600_000);
  await database.managementKey.update({ where: { id }, data: { expiresAt } });
  const made = await ask("POST", "/v1/invitations", { role: "viewer" }, { key: secret });
  expect(made.json.expires_at).toBe(Math.floor(expiresAt.getTime() / 1000));
});

test("the owner's role stays, and what is wrong in one field changes nothing in the others", async () => {
  const [owner] = (await ask("GET", "/v1/members")).json.data;
  const path = `/v1/members/${owner.id}`;
  const both = { role: "viewer", day_budget_points: 1 };
  expect(errorOf(await ask("PATCH", path, both))).toEqual([400, "invalid_value", "role"]);
  expect(errorOf(await ask("DELETE", path))[1]).toBe("invalid_value");
  const { id } = await newMember();
  const wrong = { role: "viewer", day_budget_points: 1, budget_zone: "Nowhere/Land" };
  const refused = await ask("PATCH", `/v1/members/${id}`, wrong);
  expect(errorOf(refused)).toEqual([400, "invalid_value", "budget_zone"]);
  expect((await ask("GET", `/v1/members/${id}`)).json).toMatchObject({
    role: "developer",
    recurring_budgets: [],
  });
  expect(errorOf(await ask("PATCH", `/v1/members/${id}`, { role: "owner" }))[1]).toBe(
    "invalid_value",
  );
});

test("another account's members and invitations are the same 404 as none, for every method", async () => {
  const { id } = await newMember();
  const invitation = (await ask("POST", "/v1/invitations", { role: "viewer" })).json.id;
  const other = { key: site.stranger.secret };
  for (const [method, path, body] of [
    ["GET", "/v1/members/"],
    ["PATCH", "/v1/members/", { role: "viewer" }],
    ["DELETE", "/v1/members/"],
    ["DELETE", "/v1/invitations/"],
  ] as const) {
    const named = path === "/v1/members/" ? id : invitation;
    const none = await ask(method, `${path}user_none`, body, other);
    const foreign = await ask(method, `${path}${named}`, body, other);
    expect(errorOf(foreign)).toEqual([404, "not_found", null]);
    expect(foreign.json).toEqual(none.json);
  }
  expect((await ask("GET", `/v1/members/${id}`)).json.role).toBe("developer");
});

test("reading does not change, keys do not manage members, and a key acts with its maker's role", async () => {
  const { composed } = site;
  const { id } = await newAdmin();
  const reader = await newManager(composed, composed.accountId, ["members:read", "keys:write"]);
  const own = { key: reader.secret };
  expect((await ask("GET", "/v1/members", undefined, own)).status).toBe(200);
  for (const [method, path, body] of [
    ["PATCH", `/v1/members/${id}`, { role: "viewer" }],
    ["DELETE", `/v1/members/${id}`],
    ["POST", "/v1/invitations", { role: "viewer" }],
  ] as const)
    expect(errorOf(await ask(method, path, body, own))[1]).toBe("scope_missing");
  const keys = await newManager(composed, composed.accountId, ["keys:read", "keys:write"]);
  expect(errorOf(await ask("GET", "/v1/members", undefined, { key: keys.secret }))[1]).toBe(
    "scope_missing",
  );
  // A maker who may not manage members any more, however that came about.
  const last = await newManager(composed, composed.accountId);
  await composed.database
    .$executeRaw`update management_key set created_by = ${id} where id = ${last.id}`;
  await composed.database
    .$executeRaw`update account_member set role = 'viewer' where user_id = ${id} and account_id = ${composed.accountId}`;
  const refused = await ask("POST", "/v1/invitations", { role: "viewer" }, { key: last.secret });
  expect(errorOf(refused)[1]).toBe("role_not_allowed");
});

test("no key gives a role that can do more than the key, by invitation or by change", async () => {
  const { composed } = site;
  const { id } = await newMember("viewer");
  const give = async (scopes: readonly ManagementScope[], role: string) => {
    const { secret: key } = await newManager(composed, composed.accountId, scopes);
    const [invited, changed] = [
      await ask("POST", "/v1/invitations", { role }, { key }),
      await ask("PATCH", `/v1/members/${id}`, { role }, { key }),
    ];
    const back = { where: { accountId_userId: { accountId: composed.accountId, userId: id } } };
    await composed.database.accountMember.update({ ...back, data: { role: "billing" } });
    return [invited, changed].map(({ status, json }) => json.error?.code ?? status);
  };
  const twice = (what: unknown) => [what, what];
  // An administrator makes management keys, which no key does.
  expect(await give(managementScopes, "admin")).toEqual(twice("role_not_allowed"));
  for (const role of ["admin", "developer", "viewer", "billing"] as const) {
    const needed = scopesToGive(role);
    if (needed === null) continue;
    const writes = [...new Set<ManagementScope>(["members:write", ...needed])];
    if (role !== "billing") expect(await give(writes, role)).toEqual(twice(200));
    else expect((await give(writes, role))[0]).toBe(200);
    for (const lacking of needed.filter((scope) => scope !== "members:write")) {
      const others = writes.filter((scope) => scope !== lacking);
      expect([role, lacking, (await give(others, role))[0]]).toEqual([
        role,
        lacking,
        "scope_missing",
      ]);
    }
  }
  expect(scopesToGive("admin")).toBeNull();
  expect(scopesToGive("developer")).toContain("keys:write");
});

test("what a key offered ends with the key, and with its maker's right to offer it", async () => {
  const { composed } = site;
  const { id } = await newAdmin();
  const { accountId, database } = composed;
  const offer = async () => {
    const key = await newManager(composed, accountId);
    await database.$executeRaw`update management_key set created_by = ${id} where id = ${key.id}`;
    const made = await ask("POST", "/v1/invitations", { role: "viewer" }, { key: key.secret });
    const token = new URL(made.json.link).searchParams.get("token") ?? "";
    return { key: key.id, token };
  };
  const accepts = async (token: string) =>
    acceptInvitation(composed, (await newUser()).userId, { token }).then(
      () => "in",
      ({ code }: { code: string }) => code,
    );
  const [one, two] = [await offer(), await offer()];
  await revokeManagementKey(composed, "test", { id: one.key, accountId, keepsKeys: false });
  expect(await accepts(one.token)).toBe("link_invalid");
  await removeMember({ database, ledger: composed.tool }, "test", {
    accountId,
    userId: id,
    keepsKeys: false,
  });
  expect(await accepts(two.token)).toBe("link_invalid");
});
