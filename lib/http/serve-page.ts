/**
 * The path of every request to the pages' API: same origin for writes → session → proof → parse →
 * run → answer.
 */
import type { z } from "zod";
import { type Locale, localeOf } from "@/messages/locales";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../contract/limits";
import type { Permission } from "../contract/member-roles";
import type {
  CsvFile,
  PageBodyOf,
  PageEndpoint,
  PageQueryOf,
  PageResultOf,
  PdfFile,
} from "../contract/page-endpoint";
import { newId } from "../crypto/ids";
import { failures } from "../failures/failure-table";
import { isRelayError, RelayError } from "../failures/relay-error";
import { parseStrictJson } from "../json/strict-json";
import { assertMember, type PageUser } from "./assert-member";
import { csvResponse, pdfHeaders } from "./csv-response";
import { failureAnswer, failureText, JSON_TYPE, publicError } from "./failure-answer";
import { readBody } from "./page-body";
import { refuseNul, validate } from "./validate";

/** A sign-in between its password and its second factor. */
export interface PendingSignIn<User> {
  readonly id: string;
  readonly until: number;
  readonly user: User;
}

/** The input of a row's use case. */
export interface PageCall<Deps, User, Row extends PageEndpoint> {
  readonly deps: Deps;
  /** The caller; null for a visitor of a public row. */
  readonly user: Row["who"] extends "anyone" ? User | null : User;
  readonly body: PageBodyOf<Row>;
  readonly query: PageQueryOf<Row>;
  /** The value of the path's `{id}`; empty when it has none. */
  readonly id: string;
  /** The client's address, as recorded by the server that accepted the connection. */
  readonly address: string | undefined;
  /** Aborts when the caller leaves before the answer is complete. */
  readonly gone: AbortSignal;
  /** The language in which the caller reads the pages. */
  readonly locale: Locale;
  /** The id of the calling session; null where it is unknown. */
  sessionId(): Promise<string | null>;
  /** Keeps the calling session valid after the user's sessions were ended, or begins one. */
  renewSession(user: User): Promise<void>;
  /** The sign-in of this browser that waits for a second factor; null when there is none. */
  pendingSignIn(): Promise<PendingSignIn<User> | null>;
  /** The value of a cookie that the browser sent. */
  cookie(name: string): Promise<string | undefined>;
  /** Sends a `Set-Cookie` with the answer. */
  sendCookie(text: string): void;
}

/** A call whose caller was admitted and whose input was parsed, before its row is known by type. */
export interface AdmittedCall<Deps, User>
  extends Omit<PageCall<Deps, User, PageEndpoint>, "user" | "body" | "query"> {
  readonly user: User | null;
  readonly body: unknown;
  readonly query: unknown;
}

export interface PageRequest<User> {
  readonly isWrite: boolean;
  readonly address: string | undefined;
  /** Null while it is unknown. */
  readonly user: User | null;
}

/** What the rows need from the process. */
export interface PageHost<Deps, User> {
  deps(): Deps | Promise<Deps>;
  publicUrl(deps: Deps): string;
  /** `isFresh`: as the database says now, not a moment ago. */
  currentUser(how: { readonly isFresh: boolean }): Promise<User | null>;
  isOperator(user: User): boolean;
  /** Whether the user's password alone is a fresh proof. */
  provesByPassword(user: User): boolean;
  /** Throws `address_not_allowed` for an operator who is outside the operators' networks. */
  assertPlace(deps: Deps, user: User, address: string | undefined): Promise<void>;
  /**
   * Counts a request of the address, and again of the user once it is known. Throws
   * `page_rate_limited`.
   */
  admit(deps: Deps, request: PageRequest<User>): void;
  /** Whether the password was given in the calling session within the last 15 minutes. */
  hasRecentProof(deps: Deps): Promise<boolean>;
  currentSessionId(): Promise<string | null>;
  pendingSignIn(): Promise<PendingSignIn<User> | null>;
  /** Whether the user must set up a second factor before anything else. */
  isSettingUp(deps: Deps, user: User): boolean;
  cookie(name: string): Promise<string | undefined>;
  /** The `Set-Cookie` value that keeps a session valid after the others were ended. */
  renewedCookie(deps: Deps, user: User): Promise<string>;
  report(deps: Deps, requestId: string, error: RelayError): void;
}

/** Answers a request; `id` is the value of the path's `{id}`. */
export type PageHandler = (request: Request, id?: string) => Promise<Response>;

/** Set by our own server from the connection; it replaces a client's header of this name. */
export const ADDRESS_HEADER = "x-relay-client-address";

/**
 * Throws `cross_site_request` for a write that another site may have caused. Browsers say where a
 * request comes from in `Sec-Fetch-Site` or `Origin`; a client that sends neither has no cookies
 * that could be abused.
 */
export function assertOwnOrigin(headers: Headers, publicUrl: string): void {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (
    site !== null ? site === "same-origin" : origin === null || origin === new URL(publicUrl).origin
  )
    return;
  throw new RelayError("cross_site_request");
}

/** Removes secret values from an error, so that no message repeats them. */
function withoutSecret(error: unknown): unknown {
  if (!isRelayError(error) || !/password$/i.test(error.param ?? "")) return error;
  return new RelayError(error.code, {
    param: error.param,
    message: "The password must have 10 to 200 characters.",
    fault: { name: "password_length", min: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX },
  });
}

/** What was sent, as a row's use case gets it. Throws `invalid_value`, without a password. */
export function parseInput(schema: z.ZodType, value: unknown): unknown {
  try {
    refuseNul(value);
    validate(schema, value);
    return schema.parse(value);
  } catch (error) {
    throw withoutSecret(error);
  }
}

async function readInput(row: PageEndpoint, request: Request) {
  const body =
    row.body && parseInput(row.body, parseStrictJson(await readBody(request, row.bodyBytesMax)));
  const query =
    row.query && parseInput(row.query, Object.fromEntries(new URL(request.url).searchParams));
  return { body, query };
}

/** A row and the permission that a member needs to call it. */
type AdmittingRow = Pick<PageEndpoint, "who" | "readsSession" | "proof" | "admitsSetup"> & {
  readonly permission: Permission | null;
};

/** Counts the request, identifies the caller, and throws unless the row admits them. */
async function admit<Deps, User extends PageUser>(
  host: PageHost<Deps, User>,
  row: AdmittingRow,
  deps: Deps,
  request: Request,
) {
  const isWrite = request.method !== "GET" && request.method !== "HEAD";
  if (isWrite) assertOwnOrigin(request.headers, host.publicUrl(deps));
  const address = request.headers.get(ADDRESS_HEADER) ?? undefined;
  host.admit(deps, { isWrite, address, user: null });
  const user =
    row.who === "anyone" && !row.readsSession ? null : await host.currentUser({ isFresh: isWrite });
  if (user !== null) host.admit(deps, { isWrite, address, user });
  if (row.who === "operator" && (user === null || !host.isOperator(user)))
    throw new RelayError("route_not_found");
  if (user === null && row.who === "user") {
    const pending = row.admitsSetup === true ? await host.pendingSignIn() : null;
    // The password was given a moment ago, so no other proof is asked for.
    if (pending === null || !host.isSettingUp(deps, pending.user))
      throw new RelayError("sign_in_required");
    await host.assertPlace(deps, pending.user, address);
    return { user: pending.user, address };
  }
  if (user !== null) assertMember(row.permission, request.headers, user);
  if (user !== null && row.proof !== undefined) await host.assertPlace(deps, user, address);
  const isProofWanted =
    row.proof === "recent" ||
    (row.proof === "unlessPassword" && user !== null && !host.provesByPassword(user));
  if (isProofWanted && !(await host.hasRecentProof(deps))) throw new RelayError("proof_required");
  return { user, address };
}

/**
 * Runs the use case of a row. The call's input was parsed by the row's schemas and the row admits
 * its caller, so the row's types hold from here on.
 */
export function runRow<Deps, User, Row extends PageEndpoint>(
  run: (call: PageCall<Deps, User, Row>) => Promise<PageResultOf<Row>>,
  call: AdmittedCall<Deps, User>,
): Promise<PageResultOf<Row>> {
  return run(call as PageCall<Deps, User, Row>);
}

/**
 * A use case's result as it is sent: JSON text of what the row's answer has, or a file. `formed`
 * puts an answer into another form than the pages'.
 */
export function shownResult(
  row: PageEndpoint,
  result: unknown,
  formed = (_: z.ZodType, answer: unknown) => answer,
): string | CsvFile | PdfFile {
  const { answer } = row;
  if (answer === "csv" || answer === "pdf") return result as CsvFile | PdfFile;
  return JSON.stringify(formed(answer, answer.parse(result)));
}

/** The response for a use case's result. */
function respond(row: PageEndpoint, result: unknown, headers: Record<string, string>): Response {
  const shown = shownResult(row, result);
  if (typeof shown !== "string")
    return "bytes" in shown
      ? new Response(shown.bytes, { headers: { ...headers, ...pdfHeaders(shown.name) } })
      : csvResponse(shown, headers);
  return new Response(shown, {
    status: row.status ?? 200,
    headers: { ...headers, "content-type": JSON_TYPE },
  });
}

/** Runs `answer` with the headers that every answer has. Errors become the failure's answer. */
export async function answerWith<Deps, User>(
  host: Pick<PageHost<Deps, User>, "deps" | "report">,
  gone: AbortSignal,
  answer: (deps: Deps, headers: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  const requestId = newId("request");
  const headers: Record<string, string> = {
    "x-request-id": requestId,
    "cache-control": "no-store",
  };
  let deps: Deps | undefined;
  try {
    deps = await host.deps();
    return await answer(deps, headers);
  } catch (thrown) {
    const error = publicError(thrown);
    // That a client has left is no problem of the server.
    const isServers = thrown !== gone.reason && failures[error.code].status >= 500;
    if (deps !== undefined && isServers) host.report(deps, requestId, error);
    const { status, body } = failureAnswer(error, headers, failureText(error, "page"));
    return new Response(body, { status, headers });
  }
}

/** Joins a row with its use case. The handler never rejects: every failure becomes an answer. */
export function servePage<Deps, User extends PageUser, Row extends PageEndpoint>(
  host: PageHost<Deps, User>,
  row: Row,
  permission: Permission | null,
  run: (call: PageCall<Deps, User, Row>) => Promise<PageResultOf<Row>>,
): PageHandler {
  return (request, id = "") =>
    answerWith(host, request.signal, async (deps, headers) => {
      const admitted = await admit(host, { ...row, permission }, deps, request);
      const input = await readInput(row, request);
      refuseNul({ id });
      const cookies: string[] = [];
      const call = {
        ...admitted,
        ...input,
        deps,
        id,
        gone: request.signal,
        locale: localeOf(request.headers),
        sessionId: () => host.currentSessionId(),
        async renewSession(user: User) {
          cookies.push(await host.renewedCookie(deps, user));
        },
        pendingSignIn: () => host.pendingSignIn(),
        cookie: (name: string) => host.cookie(name),
        sendCookie(text: string) {
          cookies.push(text);
        },
      };
      const answer = respond(row, await runRow(run, call), headers);
      for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
      return answer;
    });
}

/** The handler for unknown addresses: 404. The request is counted all the same. */
export function routeNotFound<Deps, User extends PageUser>(
  host: PageHost<Deps, User>,
): PageHandler {
  return (request) =>
    answerWith(host, request.signal, async (deps) => {
      await admit(host, { who: "anyone", permission: null }, deps, request);
      throw new RelayError("route_not_found");
    });
}
