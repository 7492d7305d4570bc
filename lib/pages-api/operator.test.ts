import { expect, test } from "vitest";
import { z } from "zod";
import { pagesHostOf } from "@/testing/pages-api/pages-host";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { sessionOf, type UserSession } from "../accounts/session-store";
import { signUp } from "../accounts/sign-up";
import { routeNotFound, servePage } from "../http/serve-page";
import { pageHandlers } from "./page-handlers";

let current: UserSession | null = null;
const password = "correct horse battery";

const site = await opened(startSiteProcess());
const host = pagesHostOf({
  deps: () => site.deps,
  currentUser: async () => current,
  hasRecentProof: (deps) => deps.sessions.isProved("session"),
  currentSessionId: async () => "session",
  renewedCookie: async () => "relay-session=renewed",
});

async function newUser(isOperator: boolean): Promise<UserSession> {
  const { userId } = await signUp(site.deps, {
    email: `${isOperator}@example.com`,
    password,
    address: "192.0.2.1",
  });
  return sessionOf(
    await site.deps.database.user.update({ where: { id: userId }, data: { isOperator } }),
  );
}

const asked = (path: string, body?: object) =>
  new Request(`http://localhost:3000${path}`, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json", origin: "http://localhost:3000" },
    body: body ? JSON.stringify(body) : null,
  });

async function answerOf(response: Response) {
  return { status: response.status, json: await response.json() };
}

test("everyone but an operator gets the answer of a missing address at operators' addresses", async () => {
  const person = await newUser(false);
  const nothing = await answerOf(await routeNotFound(host)(asked("/api/nowhere")));
  expect(nothing.status).toBe(404);
  for (const each of [null, person]) {
    current = each;
    expect(
      await answerOf(await pageHandlers(host).showOverview(asked("/api/admin/overview"))),
    ).toEqual(nothing);
  }
  current = await newUser(true);
  expect(
    await answerOf(await pageHandlers(host).showOverview(asked("/api/admin/overview"))),
  ).toMatchObject({
    status: 200,
    json: {
      accounts: 2,
      available: "2000.000000",
      held: "0.000000",
      openHolds: 0,
      oldestHoldAt: null,
      day: { settled: 0 },
      needs: {
        stuck: { tasks: 0, nodes: 0, files: 0, held: "0.000000" },
        payments: [],
        audit: null,
      },
      health: [],
    },
  });
});

test("changes that move points ask for the password when this session's last proof is over 15 minutes old", async () => {
  const { sessions, database } = site.deps;
  const user = current as UserSession;
  const expiresAt = new Date(Date.now() + 3_600_000);
  for (const sessionId of ["session", "another"]) {
    await sessions.begin({
      userId: user.userId,
      sessionId,
      sessionVersion: 1,
      expiresAt,
      address: null,
      userAgent: null,
    });
  }
  const { showOverview } = pageHandlers(host);
  const row = {
    method: "POST",
    path: "/api/x",
    who: "operator",
    proof: "recent",
    answer: z.object({}),
  } as const;
  const move = servePage(host, row, null, async () => ({}));
  expect((await move(asked("/api/x", {}))).status).toBe(200);
  await database.userSession.update({
    where: { id: "session" },
    data: { provedAt: new Date(Date.now() - 15 * 60_000 - 1) },
  });
  expect(await answerOf(await move(asked("/api/x", {})))).toMatchObject({
    status: 403,
    json: { error: { code: "proof_required" } },
  });
  expect((await showOverview(asked("/api/admin/overview"))).status).toBe(200);
  const { provePassword } = pageHandlers(host);
  expect(
    await answerOf(await provePassword(asked("/api/proof", { password: "wrong" }))),
  ).toMatchObject({
    status: 401,
    json: { error: { code: "wrong_credentials", param: "password" } },
  });
  expect((await move(asked("/api/x", {}))).status).toBe(403);
  expect((await provePassword(asked("/api/proof", { password }))).status).toBe(200);
  expect((await move(asked("/api/x", {}))).status).toBe(200);
});
