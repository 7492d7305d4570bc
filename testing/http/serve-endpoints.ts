/** Serves every endpoint of the relay API with one use case instead of its own. */

import { expect } from "vitest";
import type { SignedIn } from "@/lib/accounts/principal";
import { endpoints } from "@/lib/contract/endpoints";
import { failures } from "@/lib/failures/failure-table";
import { RelayError } from "@/lib/failures/relay-error";
import { answerRequest } from "@/lib/http/fetch-lane";
import { routeTable } from "@/lib/http/route-table";
import { type Call, jsonTextAnswer, serve } from "@/lib/http/serve";
import { createBodyMemory } from "@/lib/limits/body-memory";
import { createKeyLimiter } from "@/lib/limits/key-limiter";
import { createRunningWork } from "@/lib/limits/running-work";
import { usualTerms } from "@/testing/accounts/usual-terms";

type Run = (call: Pick<Call, "headers" | "parameter">) => ReturnType<typeof jsonTextAnswer>;

const ofAll = { requestsPerMinute: 3, models: [], ...usualTerms };

function depsOf(run: Run, write: (fields: object, message: string) => void) {
  return {
    keyAuthenticator: {
      identify(authorization: string | undefined) {
        if (authorization === undefined) throw new RelayError("missing_api_key");
        return {
          kind: "apiKey",
          accountId: "acct",
          apiKeyId: authorization,
          rateSubject: authorization,
          ...ofAll,
        } as const;
      },
    },
    sessionPrincipal: ({ accountId, userId }: SignedIn) =>
      Promise.resolve({
        kind: "session",
        accountId,
        apiKeyId: null,
        userId,
        noteOrder: async () => {},
        forgetOrder: async () => {},
        rateSubject: `playground:${accountId}`,
        ...ofAll,
      } as const),
    keyLimiter: createKeyLimiter(),
    log: { info: write, warn: write, error: write },
    idempotencyRunner: {
      run: (_key: string, call: Parameters<Run>[0]) => Promise.resolve(run(call)),
      runUnkeyed: (call: Parameters<Run>[0]) => run(call),
      noteFailure: () => {},
    },
    running: createRunningWork(),
    bodyMemory: createBodyMemory(),
    admitTags: async () => {},
  };
}

export const validChat = JSON.stringify({
  model: "RelayV1",
  messages: [{ role: "user", content: "x" }],
});

/**
 * Each request has a key of its own. The use case answers with the parameter of its path, or throws
 * `thrown`.
 */
export function serveEndpoints() {
  const logged: string[] = [];
  const state: { thrown: unknown } = { thrown: null };
  const run: Run = (call) => {
    if (state.thrown) throw state.thrown;
    return jsonTextAnswer(call, JSON.stringify({ parameter: call.parameter }));
  };
  const deps = depsOf(
    run,
    (fields, message) => void logged.push(JSON.stringify([message, fields])),
  );
  const find = routeTable(
    Object.values(endpoints).map((row) => ({ row, endpoint: serve(row, deps, run) })),
  );
  let keys = 0;
  function ask(
    path: string,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const headers = {
      authorization: `Bearer ${++keys}`,
      "content-type": "application/json",
      ...init.headers,
    };
    return answerRequest(find, new Request(`http://relay.test${path}`, { ...init, headers }));
  }
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    ask("/v1/chat/completions", { method: "POST", body, headers });
  return Object.assign(state, { logged, find, ask, post });
}

/** The error of an answer, checked against the failure table. */
export async function errorOf(pending: Promise<Response>): Promise<{
  status: number;
  code: string;
  message: string;
  param: string | null;
  headers: Headers;
}> {
  const response = await pending;
  const { error } = (await response.json()) as {
    error: { code: keyof typeof failures; message: string; param: string | null; type: string };
  };
  expect(error.type).toBe(failures[error.code].type);
  expect(response.status).toBe(failures[error.code].status);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("x-should-retry")).toBe(
    failures[error.code].isRetryable ? null : "false",
  );
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  return { status: response.status, ...error, headers: response.headers };
}
