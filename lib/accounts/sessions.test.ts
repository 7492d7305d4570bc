import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type SiteProcess, startSiteProcess } from "../site/testing";
import { createSessionBook } from "./sessions";
import { signUp } from "./sign-up";

let site: SiteProcess;
beforeAll(async () => {
  site = await startSiteProcess();
});
afterAll(() => site.close());

const claimOf = (userId: string, sessionId: string) => ({ userId, sessionId, sessionVersion: 1 });

test("a session signed out, and every session of a user who ended them all, is refused in other processes within 5 s (security 9)", async () => {
  const other = createSessionBook(site.parts.database);
  const { userId } = await signUp(site.parts, { email: "ada@example.com", password: "correct horse battery" });
  for (const name of ["one", "two"]) expect(await other.find(claimOf(userId, name))).toMatchObject({ userId });
  await site.parts.sessions.end("one", new Date(Date.now() + 60_000));
  expect(await site.parts.sessions.find(claimOf(userId, "one"))).toBeNull();
  const started = performance.now();
  await vi.waitFor(async () => expect(await other.find(claimOf(userId, "one"))).toBeNull(), { timeout: 5000, interval: 20 });
  console.log(`a session ended elsewhere was refused after ${(performance.now() - started).toFixed(0)} ms`);
  expect(await other.find(claimOf(userId, "two"))).not.toBeNull();
  await site.parts.sessions.endAll(userId);
  expect(await site.parts.sessions.find(claimOf(userId, "two"))).toBeNull();
  await vi.waitFor(async () => expect(await other.find(claimOf(userId, "two"))).toBeNull(), { timeout: 5000, interval: 20 });
});

test("without the database a session is an error, never a pass (security 10)", async () => {
  const book = createSessionBook(site.unreachable);
  await expect(book.find(claimOf("user_x", "one"))).rejects.toMatchObject({ code: "database_unavailable" });
});

test("a user who is no more has no session", async () => {
  expect(await site.parts.sessions.find(claimOf("user_none", "one"))).toBeNull();
});
