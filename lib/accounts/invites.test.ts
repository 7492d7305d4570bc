import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { createInvite, revokeInvite } from "../commands/invites";
import { findInvite, listInvites } from "./invites";
import { signUp } from "./sign-up";

const password = "correct horse battery";

const site = await opened(startSiteProcess());
const deps = { ...site.deps, settings: { ...site.deps.settings, RELAY_SIGNUP: "invite" as const } };

const invited = (request: { points?: bigint; days?: number } = {}) =>
  createInvite(site.deps, "cli", {
    note: "for a test",
    points: request.points ?? null,
    days: request.days ?? 7,
  });
const join = (email: string, invite?: string) =>
  signUp(deps, { email, password, invite, address: "192.0.2.9" });
const available = async (accountId: string) =>
  (await site.deps.ledger.balance(accountId)).available;

test("with sign-up by invitation, a link works for one sign-up and no second", async () => {
  await expect(join("none@example.com")).rejects.toMatchObject({ code: "sign_up_closed" });
  await expect(join("none@example.com", "made-up")).rejects.toMatchObject({
    code: "invite_invalid",
  });
  const { code, invite } = await invited();
  const { accountId } = await join("first@example.com", code);
  expect(await available(accountId)).toBe(1_000_000_000n);
  await expect(join("second@example.com", code)).rejects.toMatchObject({ code: "invite_invalid" });
  expect(await site.deps.database.user.count({ where: { email: "second@example.com" } })).toBe(0);
  const { invites } = await listInvites(site.deps.database);
  expect(invites.find(({ id }) => id === invite.id)).toMatchObject({
    usedAccountId: accountId,
    usedAt: expect.any(Date),
  });
});

test("of many who use one link at once exactly one gets an account", async () => {
  const { code } = await invited();
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => join(`race-${n}@example.com`, code)),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await site.deps.database.user.count({ where: { email: { startsWith: "race-" } } })).toBe(
    1,
  );
});

test("an invitation's points replace the welcome grant, also when they are zero", async () => {
  expect(
    await available(
      (await join("some@example.com", (await invited({ points: 5_000_000n })).code)).accountId,
    ),
  ).toBe(5_000_000n);
  expect(
    await available(
      (await join("zero@example.com", (await invited({ points: 0n })).code)).accountId,
    ),
  ).toBe(0n);
});

test("a link that has expired, was revoked, or is used with a taken address creates no account", async () => {
  const { database } = site.deps;
  const old = await invited();
  await database.invite.update({
    where: { id: old.invite.id },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  const back = await invited();
  await revokeInvite({ database }, "cli", { id: back.invite.id });
  for (const { code } of [old, back])
    await expect(join("late@example.com", code)).rejects.toMatchObject({ code: "invite_invalid" });
  const good = await invited();
  const stranger = {
    email: "first@example.com",
    password: "another password",
    invite: good.code,
    address: "192.0.2.77",
  };
  await expect(signUp(deps, stranger)).rejects.toMatchObject({ code: "wrong_credentials" });
  expect(await findInvite(database, good.code)).not.toBeNull();
  await expect(revokeInvite({ database }, "cli", { id: "inv_none" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a closed installation accepts no invitation, and an open one grants its points", async () => {
  const closed = { ...deps, settings: { ...deps.settings, RELAY_SIGNUP: "closed" as const } };
  const { code } = await invited({ points: 7n });
  const request = { email: "closed@example.com", password, invite: code, address: "192.0.2.9" };
  await expect(signUp(closed, request)).rejects.toMatchObject({ code: "sign_up_closed" });
  const open = { ...deps, settings: { ...deps.settings, RELAY_SIGNUP: "open" as const } };
  expect(await available((await signUp(open, request)).accountId)).toBe(7n);
});

test("an invitation's code is not stored, and refusals name the bound", async () => {
  const { code } = await invited();
  expect(
    JSON.stringify(await site.dump(), (_, value) =>
      typeof value === "bigint" ? `${value}` : value,
    ),
  ).not.toContain(code);
  await expect(invited({ days: 91 })).rejects.toThrow(/1 to 90 days/);
});
