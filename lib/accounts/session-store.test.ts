import { expect, test, vi } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { endAllSessions, endSession } from "../commands/sessions";
import { createSessionStore, sessionOf } from "./session-store";
import { signUp } from "./sign-up";

const site = await opened(startSiteProcess());

const claimOf = (userId: string, sessionId: string) => ({ userId, sessionId, sessionVersion: 1 });

test("a session that was signed out, and all sessions that a user ended, are refused in other processes within 5 s", async () => {
  const other = createSessionStore(site.deps.database);
  const { userId } = await signUp(site.deps, {
    email: "ada@example.com",
    password: "correct horse battery",
  });
  for (const name of ["one", "two"])
    expect(await other.find(claimOf(userId, name))).toMatchObject({ userId });
  await site.deps.sessions.end("one", new Date(Date.now() + 60_000));
  expect(await site.deps.sessions.find(claimOf(userId, "one"))).toBeNull();
  const started = performance.now();
  await vi.waitFor(async () => expect(await other.find(claimOf(userId, "one"))).toBeNull(), {
    timeout: 5000,
    interval: 20,
  });
  console.log(
    `a session ended elsewhere was refused after ${(performance.now() - started).toFixed(0)} ms`,
  );
  expect(await other.find(claimOf(userId, "two"))).not.toBeNull();
  await endAllSessions(site.deps, userId, { userId });
  site.deps.sessions.forget();
  expect(await site.deps.sessions.find(claimOf(userId, "two"))).toBeNull();
  await vi.waitFor(async () => expect(await other.find(claimOf(userId, "two"))).toBeNull(), {
    timeout: 5000,
    interval: 20,
  });
});

test("without the database a session check fails and never grants access", async () => {
  const store = createSessionStore(site.unreachable);
  await expect(store.find(claimOf("user_x", "one"))).rejects.toMatchObject({
    code: "database_unavailable",
  });
});

test("a deleted user has no session", async () => {
  expect(await site.deps.sessions.find(claimOf("user_none", "one"))).toBeNull();
});

test("users see their active sessions and can end any of them, but no one else's", async () => {
  const { sessions, database } = site.deps;
  const person = async (name: string) => {
    const { userId } = await signUp(site.deps, {
      email: `${name}@example.com`,
      password: "correct horse battery",
    });
    return sessionOf(await database.user.findUniqueOrThrow({ where: { id: userId } }));
  };
  const [bob, eve] = [await person("bob"), await person("eve")];
  const begin = (userId: string, sessionId: string, seconds = 60) =>
    sessions.begin({
      ...claimOf(userId, sessionId),
      expiresAt: new Date(Date.now() + seconds * 1000),
      address: "192.0.2.7",
      userAgent: "x".repeat(1000),
    });
  await begin(bob.userId, "laptop");
  await begin(bob.userId, "phone");
  await begin(bob.userId, "expired", -1);
  await begin(eve.userId, "hers");
  const ids = async () => (await sessions.list(bob)).map(({ id }) => id).sort();
  expect(await ids()).toEqual(["laptop", "phone"]);
  const end = (sessionId: string) =>
    endSession({ database }, bob.userId, { sessionId, userId: bob.userId });
  for (const foreign of ["hers", "none", ""])
    await expect(end(foreign)).rejects.toMatchObject({ code: "not_found" });
  await end("phone");
  sessions.forget();
  expect(await sessions.find(claimOf(bob.userId, "phone"))).toBeNull();
  expect(await sessions.find(claimOf(eve.userId, "hers"))).toMatchObject({ userId: eve.userId });
  expect(await ids()).toEqual(["laptop"]);
  await endAllSessions({ database }, bob.userId, { userId: bob.userId });
  sessions.forget();
  expect(await sessions.list({ ...bob, sessionVersion: 2 })).toEqual([]);
});

test("an active session updates its last-seen time, but not at every request", async () => {
  const { sessions, database } = site.deps;
  const { userId } = await signUp(site.deps, {
    email: "seen@example.com",
    password: "correct horse battery",
  });
  await sessions.begin({
    ...claimOf(userId, "seen"),
    expiresAt: new Date(Date.now() + 60_000),
    address: null,
    userAgent: null,
  });
  const lastSeen = async () =>
    (await database.userSession.findUniqueOrThrow({ where: { id: "seen" } })).lastSeenAt.getTime();
  const begun = await lastSeen();
  await sessions.find(claimOf(userId, "seen"));
  expect(await lastSeen()).toBe(begun);
  await database.userSession.update({
    where: { id: "seen" },
    data: { lastSeenAt: new Date(begun - 600_000) },
  });
  sessions.forget();
  await sessions.find(claimOf(userId, "seen"));
  await vi.waitFor(async () => expect(await lastSeen()).toBeGreaterThan(begun - 1000), {
    timeout: 5000,
    interval: 20,
  });
});
