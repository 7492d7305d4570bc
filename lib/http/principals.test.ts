/** Tests which endpoint admits which principal, in both lanes and the playground. */
import { describe, expect, test } from "vitest";
import { usualTerms } from "@/testing/accounts/usual-terms";
import type { ManagementKeyPrincipal, Principal, SignedIn } from "../accounts/principal";
import type { EndpointRow } from "../contract/endpoint";
import { endpoints } from "../contract/endpoints";
import { examples } from "../contract/examples";
import { managementScopes } from "../contract/states";
import { RelayError } from "../failures/relay-error";
import { createBodyMemory } from "../limits/body-memory";
import { createKeyLimiter } from "../limits/key-limiter";
import { createRunningWork } from "../limits/running-work";
import { createRegistry } from "../metrics/registry";
import { createRelayMetrics } from "../metrics/relay-metrics";
import { openTracer } from "../tracing/open-tracer";
import { traceEndpoint } from "../tracing/trace-relay";
import { logAccess } from "./access-log";
import type { Endpoint } from "./exchange";
import { answerRequest } from "./fetch-lane";
import { answerPlayground } from "./playground-lane";
import { routeTable } from "./route-table";
import { type ServeDeps, serve } from "./serve";

const rows: readonly EndpointRow[] = Object.values(endpoints);
const origin = "http://relay.test";
const account = "acct_a";
const nothing = () => {};
const free = { requestsPerMinute: 100_000, models: [], ...usualTerms };

const manager: ManagementKeyPrincipal = {
  kind: "managementKey",
  accountId: account,
  apiKeyId: null,
  managementKeyId: "mkey_a",
  scopes: managementScopes,
  rateSubject: "mkey_a",
  ...free,
};

/** The principals that the use cases received; undefined for an endpoint without one. */
let asked: (Principal | undefined)[] = [];
const note = (call: { readonly principal?: Principal }) => {
  asked.push(call.principal);
  return { status: 200, headers: {}, body: "done" };
};
const deps: ServeDeps = {
  keyAuthenticator: {
    identify(authorization) {
      if (authorization === undefined) throw new RelayError("missing_api_key");
      if (authorization === "Bearer manage") return manager;
      if (authorization !== "Bearer good") throw new RelayError("invalid_api_key");
      return {
        kind: "apiKey",
        accountId: account,
        apiKeyId: "key_a",
        rateSubject: "key_a",
        ...free,
      };
    },
  },
  sessionPrincipal: async ({ accountId, userId }) => ({
    kind: "session",
    accountId,
    apiKeyId: null,
    userId,
    noteOrder: async () => {},
    forgetOrder: async () => {},
    rateSubject: `playground:${accountId}`,
    ...free,
  }),
  keyLimiter: createKeyLimiter(),
  log: { info: nothing, warn: nothing, error: nothing },
  idempotencyRunner: {
    run: async (_key, call) => note(call),
    runUnkeyed: (call) => note(call),
    noteFailure: nothing,
  },
  running: createRunningWork(),
  bodyMemory: createBodyMemory(),
  admitTags: async () => {},
};
const endpointOf = (row: EndpointRow): Endpoint => serve(row, deps, note);
const find = routeTable(rows.map((row) => ({ row, endpoint: endpointOf(row) })));

function requestOf(row: EndpointRow, base: string, headers: Record<string, string>): Request {
  const path = row.path.replace(/\{.*\}$/, "x");
  const body =
    row.name === "createQuote"
      ? { endpoint: "createImage", model: "m", prompt: "p" }
      : examples()[row.path]?.[0]?.body;
  return new Request(`${base}${path}`, {
    method: row.method,
    ...(row.request !== null && { body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", ...headers },
  });
}

const byKey = (row: EndpointRow, headers: Record<string, string>) =>
  answerRequest(find, requestOf(row, origin, headers));
const inPlayground = (
  row: EndpointRow,
  session: SignedIn | null,
  headers: Record<string, string> = {},
) =>
  answerPlayground(
    { publicUrl: origin, find, signedIn: async () => session },
    requestOf(row, `${origin}/api/playground`, { "sec-fetch-site": "same-origin", ...headers }),
  );

async function outcomeOf(
  answer: () => Promise<Response>,
): Promise<{ status: number; body: string; kinds: unknown[] }> {
  asked = [];
  const response = await answer();
  return {
    status: response.status,
    body: await response.text(),
    kinds: asked.map((principal) => principal?.kind),
  };
}

const admitted = (kind: Principal["kind"] | undefined) => ({
  status: 200,
  body: "done",
  kinds: [kind],
});
const refused = (status: number, body: string) => ({ status, body, kinds: [] });
const missingKey = refused(
  401,
  '{"error":{"message":"The API key is missing. Send it as `Authorization: Bearer sk-rly-…`.","type":"authentication_error","param":null,"code":"missing_api_key"}}',
);
const wrongKey = refused(
  401,
  '{"error":{"message":"The API key is invalid. Check that you copied the complete key.","type":"authentication_error","param":null,"code":"invalid_api_key"}}',
);
const signInFirst = refused(
  401,
  '{"error":{"message":"Sign in first.","type":"authentication_error","param":null,"code":"sign_in_required"}}',
);
const withoutKey = refused(
  404,
  '{"error":{"message":"This endpoint is only for requests with an API key.","type":"not_found_error","param":null,"code":"not_found"}}',
);
const signedInTo = (accountId: string) => ({ accountId, userId: "user_a" });
const signedIn = async () => signedInTo(account);
const notAllowed = (message: string, code = "key_kind_not_allowed") =>
  refused(403, JSON.stringify({ error: { message, type: "permission_error", param: null, code } }));
/** Headers with which a client may pretend to have a session. */
const forged: readonly Record<string, string>[] = [
  { authorization: account },
  { authorization: `Bearer ${account}` },
  { authorization: `playground:${account}` },
  { authorization: `Session ${account}` },
  { authorization: JSON.stringify({ kind: "session", accountId: account }) },
  {
    "signed-in": account,
    "x-relay-account": account,
    "x-account-id": account,
    cookie: `next-auth.session-token=${account}`,
  },
];

test("a row admits anyone, API keys, management keys, or some of them and sessions", () => {
  const known = [
    "anyone",
    "apiKey",
    "apiKey,session",
    "apiKey,managementKey,session",
    "managementKey",
  ];
  for (const { name, admits } of rows) expect(known, name).toContain(admits.join());
  expect(rows.filter(({ admits }) => admits.join() === "apiKey").map(({ name }) => name)).toEqual([
    "getKey",
  ]);
  // A row has a scope exactly if a management key may call it, and none of those is sold.
  for (const { name, admits, scope, billing } of rows) {
    const isManaged = admits.includes("managementKey");
    expect([name, scope !== undefined, isManaged && billing !== "free"]).toEqual([
      name,
      isManaged,
      false,
    ]);
  }
});

describe.each(rows)("$name", (row) => {
  const isOpen = row.admits.includes("anyone");

  test("called with an API key, and without", async () => {
    const byApiKey = await outcomeOf(() => byKey(row, { authorization: "Bearer good" }));
    if (isOpen || row.admits.includes("apiKey"))
      expect(byApiKey).toEqual(admitted(isOpen ? undefined : "apiKey"));
    else {
      const message = `${row.method} ${row.path} takes a management key (sk-rly-mgmt-…), not an API key. Create one on the keys page.`;
      expect(byApiKey).toEqual(notAllowed(message));
    }
    expect(await outcomeOf(() => byKey(row, {}))).toEqual(
      isOpen ? admitted(undefined) : missingKey,
    );
  });

  test("called with a management key, with its scope and with all others", async () => {
    const ask = () => outcomeOf(() => byKey(row, { authorization: "Bearer manage" }));
    if (isOpen) return expect(await ask()).toEqual(admitted(undefined));
    if (!row.admits.includes("managementKey")) {
      const never = row.billing === "generation" ? "A management key can never generate. " : "";
      const message = `${never}Call ${row.method} ${row.path} with an API key (sk-rly-…), not with a management key (sk-rly-mgmt-…).`;
      expect(await ask()).toEqual(notAllowed(message));
      return;
    }
    expect(await ask()).toEqual(admitted("managementKey"));
    const others = managementScopes.filter((scope) => scope !== row.scope);
    Object.assign(manager, { scopes: others });
    const message = `${row.method} ${row.path} needs the scope ${row.scope}; this management key has ${others.join(", ")}.`;
    expect(await ask()).toEqual(notAllowed(message, "scope_missing"));
    Object.assign(manager, { scopes: managementScopes });
  });

  test("called with a session, and from a page without one", async () => {
    const bySession = isOpen
      ? admitted(undefined)
      : row.admits.includes("session")
        ? admitted("session")
        : withoutKey;
    expect(await outcomeOf(() => inPlayground(row, signedInTo(account)))).toEqual(bySession);
    if (bySession.kinds[0] === "session")
      expect(asked[0]).toMatchObject({ accountId: account, apiKeyId: null });
    expect(await outcomeOf(() => inPlayground(row, null))).toEqual(signInFirst);
  });

  test("no header creates a session or changes whose it is", async () => {
    for (const headers of forged) {
      const answer = await outcomeOf(() => byKey(row, headers));
      if (isOpen) expect(answer).toEqual(admitted(undefined));
      else expect([missingKey, wrongKey], JSON.stringify(headers)).toContainEqual(answer);
      expect(await outcomeOf(() => inPlayground(row, null, headers))).toEqual(signInFirst);
      await outcomeOf(() => inPlayground(row, signedInTo("acct_b"), headers));
      for (const principal of asked)
        if (principal) expect(principal).toMatchObject({ kind: "session", accountId: "acct_b" });
    }
    await outcomeOf(() =>
      inPlayground(row, signedInTo("acct_b"), { authorization: "Bearer good" }),
    );
    for (const principal of asked)
      if (principal) expect(principal).toMatchObject({ kind: "session", accountId: "acct_b" });
  });
});

test("a page gets an error's fault beside its code; an API client gets the error as it always was", async () => {
  const row = endpoints.createChatCompletion;
  const sent = (base: string, headers: Record<string, string>) =>
    new Request(`${base}${row.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({
        model: "RelayV1",
        messages: [{ role: "user", content: "Hello." }],
        max_tokens: 0,
      }),
    });
  const usual = {
    message: "`max_tokens` is 0: it must be at least 1.",
    type: "invalid_request_error",
    param: "max_tokens",
    code: "invalid_value",
  };
  const keyed = await answerRequest(find, sent(origin, { authorization: "Bearer good" }));
  expect(await keyed.json()).toEqual({ error: usual });
  const onPage = await answerPlayground(
    { publicUrl: origin, find, signedIn },
    sent(`${origin}/api/playground`, { "sec-fetch-site": "same-origin" }),
  );
  expect(await onPage.json()).toEqual({
    error: { ...usual, fault: { name: "too_small", sent: 0, bound: 1 } },
  });
});

test("the wrappers that count, trace and log an endpoint pass the session on", async () => {
  const row = endpoints.listModels;
  const tracer = await openTracer({
    endpoint: "http://127.0.0.1:9",
    headers: undefined,
    serviceName: "test",
    instanceId: "test",
    ratio: 0,
    onProblem: nothing,
  });
  const wraps: readonly ((endpoint: Endpoint) => Endpoint)[] = [
    (endpoint) => createRelayMetrics(createRegistry()).watch(row, endpoint),
    (endpoint) => logAccess({ debug: nothing }, row, endpoint),
    (endpoint) => traceEndpoint(tracer, row, endpoint),
  ];
  for (const wrap of wraps) {
    const wrapped = wrap(endpointOf(row));
    const host = { publicUrl: origin, find: () => wrapped, signedIn };
    const ask = () => answerPlayground(host, requestOf(row, `${origin}/api/playground`, {}));
    expect(await outcomeOf(ask)).toEqual(admitted("session"));
  }
  await tracer.close();
});
