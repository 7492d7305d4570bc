import { newId } from "@/lib/crypto/ids";
import { inTurn } from "@/testing/extent/extent";
import {
  type Answer,
  ask,
  baseUrl,
  type Caller,
  keyOf,
  makeCaller,
  managerOf,
  sessionOf,
} from "./callers";
import { expect, test } from "./product";
import { addressOf, bodies, pathOf, type Route, routes } from "./route-roles";

let callers: Record<Caller["name"], Caller>;
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  const names = ["visitor", "person", "other", "operator", "suspended"] as const;
  const made = [];
  for (const name of names) made.push(await makeCaller(name));
  callers = Object.fromEntries(made.map((caller) => [caller.name, caller])) as typeof callers;
  // A suspension applies in every process within five seconds.
  await expect
    .poll(async () => (await ask("GET", "/v1/balance", keyOf(callers.suspended))).code, {
      timeout: 5000,
    })
    .toBe("account_suspended");
});

/** What is wrong with an answer for this kind of route and caller; null for nothing. */
function faultOf(
  { kind, isForActive = false }: Pick<Route, "kind" | "isForActive">,
  caller: Caller,
  { status, code, location }: Answer,
): string | null {
  if (isForActive && caller.name === "suspended")
    return code === "account_suspended" ? null : "should be refused";
  const isNothing = status === 404 && code === "route_not_found";
  const isRefused = status === 401 || status === 403 || isNothing;
  switch (kind) {
    case "page":
      // The login page redirects a signed-in user.
      return status === 200 || (caller.cookie !== "" && status === 307) ? null : "should be there";
    case "page if set":
      return status === 200 || status === 404 ? null : "should be there for all, or for nobody";
    case "account page":
      if (caller.cookie === "")
        return status === 307 && location?.includes("/login?callbackUrl=")
          ? null
          : "should lead to the login page";
      return status === 200 ? null : "should be there";
    case "operator page":
      return status === (caller.name === "operator" ? 200 : 404)
        ? null
        : "should be an operator's alone";
    case "open":
      return isRefused && status !== 403 ? "should be open" : null;
    case "account":
      if (caller.cookie === "")
        return status === 401 && code === "sign_in_required" ? null : "should ask for a session";
      return isRefused && code !== "wrong_credentials" ? "should be let in" : null;
    case "payment":
      if (caller.cookie === "")
        return status === 401 && code === "sign_in_required" ? null : "should ask for a session";
      return status === 401 || status === 403 ? "should be let in" : null;
    case "operator":
      return isNothing === (caller.name !== "operator") ? null : "should be an operator's alone";
    case "key":
    case "management":
      return status === 401 && code === "missing_api_key"
        ? null
        : "a session should be worth nothing";
    case "nothing":
      return status === 404 && code === "route_not_found" ? null : "should be nothing";
  }
}

/** These would end sessions that other tests need. */
const endsSessions = new Set(["signOutEverywhere"]);

test("every route admits its callers, by every method, and nobody else", async () => {
  const faults: string[] = [];
  let asked = 0;
  for (const route of routes) {
    const { name, method } = route;
    for (const caller of Object.values(callers)) {
      if (endsSessions.has(name) && caller.cookie !== "") continue;
      const answer = await ask(method, addressOf(route), sessionOf(caller));
      asked++;
      const fault = faultOf(route, caller, answer);
      const seen = `${method} ${name} as ${caller.name}: ${answer.status} ${answer.code ?? ""}`;
      if (fault !== null) faults.push(`${seen}, ${fault}`);
    }
  }
  expect(faults).toEqual([]);
  expect(asked).toBeGreaterThan(400);
});

test("a key opens only the API, and nothing once its account is suspended", {
  tag: "@core",
}, async () => {
  const faults: string[] = [];
  for (const [place, route] of routes.entries()) {
    const { name, kind, method } = route;
    const path = addressOf(route);
    if (kind === "account" || kind === "operator") {
      for (const keyed of inTurn(place, [keyOf(callers.operator), managerOf(callers.operator)])) {
        const { status } = await ask(method, path, keyed);
        if (status !== (kind === "operator" ? 404 : 401))
          faults.push(`${method} ${name} with a key: ${status}`);
      }
    }
    if (kind === "management") {
      const { code } = await ask(method, path, keyOf(callers.person));
      if (code !== "key_kind_not_allowed") faults.push(`${method} ${name} with a key: ${code}`);
      const suspended = await ask(method, path, managerOf(callers.suspended));
      if (suspended.code !== "account_suspended")
        faults.push(`${method} ${name} suspended: ${suspended.code}`);
    }
    if (kind !== "key") continue;
    const person = await ask(method, path, keyOf(callers.person));
    if (person.status === 401 || person.status === 403)
      faults.push(`${method} ${name} with a key: ${person.status} ${person.code}`);
    const suspended = await ask(method, path, keyOf(callers.suspended));
    if (suspended.code !== "account_suspended")
      faults.push(`${method} ${name} suspended: ${suspended.status} ${suspended.code}`);
  }
  expect(faults).toEqual([]);
});

test("no header and no spelling of a path opens an operator's route", async () => {
  const headers: Record<string, string>[] = [
    { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
    { "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1" },
    { "x-forwarded-host": "localhost", "x-forwarded-proto": "https" },
    { "x-relay-client-address": "127.0.0.1" },
    {
      "x-path": "/pricing",
      "x-nonce": "a",
      "x-original-url": "/pricing",
      "x-rewrite-url": "/pricing",
    },
    { "x-http-method-override": "GET", "x-user-id": callers.operator.accountId },
  ];
  for (const caller of [callers.visitor, callers.person, callers.suspended]) {
    for (const header of headers) {
      const names = `${caller.name} with ${Object.keys(header)}`;
      expect((await ask("GET", "/admin", { ...sessionOf(caller), ...header })).status, names).toBe(
        404,
      );
      expect(
        (await ask("GET", pathOf("showOverview"), { ...sessionOf(caller), ...header })).code,
        names,
      ).toBe("route_not_found");
    }
    const paths = [
      "/%61dmin",
      "/admin%2faudit",
      "/admin/%2e/audit",
      "//admin",
      "/ADMIN",
      "/admin/",
      "/pricing/../admin",
      "/admin%00",
      "/%2561dmin",
    ];
    for (const path of paths) {
      const { status } = await ask("GET", path, sessionOf(caller));
      expect([301, 307, 308, 400, 404], `${path} as ${caller.name}`).toContain(status);
      const data = await ask(
        "GET",
        path.replace(/admin/i, (found) => `api/${found}/overview`),
        sessionOf(caller),
      );
      expect(data.text, `${path} as ${caller.name}`).not.toContain("openHolds");
    }
  }
});

/** The parts of an answer that a stranger sees, without the request's own id. */
function seen({ status, text, headers }: Answer, id: string): object {
  const {
    date,
    "x-request-id": requestId = "none",
    "x-ratelimit-remaining-requests": _,
    ...rest
  } = headers;
  const told = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !/^x-ratelimit|^set-cookie$|^retry-after$/.test(name)),
  );
  return { status, text: text.replaceAll(requestId, "REQUEST").replaceAll(id, "ID"), told };
}

test("wherever an id is accepted, another account's id gets the answer of a random one", async () => {
  const { person, other } = callers;
  const own = async (path: string) => JSON.parse((await ask("GET", path, sessionOf(person))).text);
  const chat = { model: "RelayV1", messages: [{ role: "user", content: "Say hello." }] };
  expect((await ask("POST", "/v1/chat/completions", keyOf(person), chat)).status).toBe(200);
  const content = [{ type: "text", text: "a cat" }];
  const listed = (await ask("GET", "/v1/models", keyOf(person))).text;
  const models = JSON.parse(listed) as { data: { id: string }[] };
  let task = { id: "" };
  for (const { id: model } of models.data) {
    // The others are of tests that run beside this one, at upstreams that may not answer.
    if (!model.startsWith("Super-Relay")) continue;
    const wanted = { content, model };
    const made = await ask("POST", "/v1/contents/generations/tasks", keyOf(person), wanted);
    if (made.status !== 200) continue;
    task = JSON.parse(made.text) as { id: string };
    break;
  }
  expect(task.id, "a video is being made").toMatch(/^cgt-/);
  const asked = { model: "RelayV1", input: "Say hello." };
  const response = JSON.parse((await ask("POST", "/v1/responses", keyOf(person), asked)).text);
  expect(response).toMatchObject({ id: expect.stringMatching(/^resp_/), store: true });
  const { keys } = await own(pathOf("listKeys"));
  const { members } = await own(pathOf("listMembers"));
  const wanted = { role: "viewer", email: null };
  const invited = await ask("POST", pathOf("inviteMember"), sessionOf(person), wanted);
  const managers = await own(pathOf("listManagementKeys"));
  const { sessions } = await own(pathOf("listSessions"));
  const { entries } = await own(`${pathOf("listEntries")}?kind=requests`);
  const hook = { url: "https://example.com/hook", kinds: ["balance_low"] };
  const added = await ask("POST", pathOf("createWebhook"), sessionOf(person), hook);
  const { webhook } = JSON.parse(added.text) as { webhook: { id: string } };
  await ask("POST", pathOf("testWebhook", webhook.id), sessionOf(person));
  const { deliveries } = await own(pathOf("listWebhookDeliveries", webhook.id));
  const ids: Record<string, [mine: string, none: string][]> = {
    webhooks: [[webhook.id, newId("webhook")]],
    "webhook-deliveries": [[deliveries[0].id, "999999999"]],
    keys: [[keys[0].id, newId("apiKey")]],
    "management-keys": [[managers.keys[0].id, newId("managementKey")]],
    sessions: [[sessions[0].id, crypto.randomUUID()]],
    tasks: [[task.id, newId("task")]],
    videos: [[task.id, newId("task")]],
    images: [[task.id, newId("task")]],
    responses: [[response.id, `resp_${crypto.randomUUID().replaceAll("-", "")}`]],
    payments: [[newId("payment"), newId("payment")]],
    invoices: [[newId("invoice"), newId("invoice")]],
    members: [[members[0].id, newId("user")]],
    invitations: [[JSON.parse(invited.text).invitation.id, newId("invitation")]],
    "own-accounts": [[person.accountId, newId("account")]],
    passkeys: [[newId("passkey"), newId("passkey")]],
    // Real ones, as of invoices: studio-sessions.test.ts, identities.test.ts, invoices.test.ts.
    studio: [[crypto.randomUUID(), crypto.randomUUID()]],
    identities: [["0".repeat(32), "1".repeat(32)]],
    requests: [
      [entries[0].id, crypto.randomUUID()],
      [entries[0].request.requestId, newId("request")],
      [task.id, newId("task")],
    ],
  };
  let compared = 0;
  for (const route of routes) {
    const { name, kind, method, path } = route;
    if (!path.includes("{id}") || name === "keepStudioSession") continue;
    if (!["account", "key", "management"].includes(kind)) continue;
    const noun = path.split("/").find((part) => part in ids);
    expect(noun, `${name} needs ids to be asked with`).toBeDefined();
    for (const [mine, none] of ids[noun ?? ""] ?? []) {
      const names = /^(change(Api)?Key|renamePasskey)$/;
      const kinds = name === "changeWebhook" ? { kinds: hook.kinds } : {};
      const body = bodies[name] ?? (names.test(name) ? { name: "taken" } : kinds);
      const from =
        kind === "key" ? keyOf(other) : kind === "management" ? managerOf(other) : sessionOf(other);
      const of = (id: string) => ask(method, addressOf(route, id), from, body);
      const [foreign, absent] = [await of(mine), await of(none)];
      expect(foreign.status, name).toBe(404);
      expect(seen(foreign, mine), name).toEqual(seen(absent, none));
      compared++;
    }
  }
  expect(compared).toBeGreaterThanOrEqual(11);
  const after = await own(pathOf("listKeys"));
  expect(after.keys[0]).toMatchObject({ name: keys[0].name, status: "active" });
  expect((await ask("GET", pathOf("listSessions"), sessionOf(person))).status).toBe(200);
});

test("an operator's write from another site or without a recent proof is refused and changes nothing", async () => {
  const path = pathOf("suspendAccount", callers.person.accountId);
  const cross = await fetch(`${baseUrl()}${path}`, {
    method: "POST",
    headers: {
      ...sessionOf(callers.operator),
      origin: "https://evil.example",
      "content-type": "application/json",
    },
    body: JSON.stringify({ reason: "x" }),
  });
  expect(cross.status).toBe(403);
  expect((await ask("GET", "/v1/balance", keyOf(callers.person))).status).toBe(200);
  const raised = { name: "x", isOperator: true };
  const asked = await ask("PATCH", pathOf("changeProfile"), sessionOf(callers.person), raised);
  expect(asked.status).toBe(400);
  expect((await ask("GET", pathOf("showOverview"), sessionOf(callers.person))).code).toBe(
    "route_not_found",
  );
});
