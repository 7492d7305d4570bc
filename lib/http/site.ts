/** One way for a request of our own pages: session → same origin for writes → parse → run → JSON. */
import type { z } from "zod";
import { isRelayError, RelayError } from "../errors";
import { failures } from "../failures";
import { newId } from "../ids";
import { parseStrictJson } from "../json/strict-json";
import { failureAnswer, JSON_TYPE, publicError } from "./failure-answer";
import { fileResponse, SiteFile } from "./site-file";
import { refuseNul, validate } from "./validate";

/** One address of `/api`: who may ask, what is sent, what comes back, and what is done. */
export interface SiteRow<Parts, User, Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType> {
  /** `required`: 401 without a session; `optional`: runs without one too; `operator`: to anyone else there is nothing here. */
  readonly session: "required" | "optional" | "none" | "operator";
  /** `recent`: asks for a password given in this session in the last 15 minutes. */
  readonly proof?: "recent";
  readonly status?: number;
  readonly body: Body | null;
  readonly query: Query | null;
  /** What is not in it never leaves. */
  readonly answer: Answer;
  run(call: SiteCall<Parts, User, z.output<Body>, z.output<Query>>): Promise<z.input<Answer>>;
}

export interface SiteCall<Parts, User, Body, Query> {
  readonly parts: Parts;
  /** The signed-in user; throws `sign_in_required` when there is none. */
  user(): User;
  readonly isSignedIn: boolean;
  readonly body: Body;
  readonly query: Query;
  /** The value of the path's `[id]`. */
  readonly id: string;
  /** The client's address as the server that took the connection noted it. */
  readonly address: string | undefined;
  readonly headers: Record<string, string>;
}

export interface PageRequest<User> {
  readonly isWrite: boolean;
  readonly address: string | undefined;
  /** Null: not known yet. */
  readonly user: User | null;
}

/** What the routes need of the process around them. */
export interface SiteHost<Parts, User> {
  parts(): Parts | Promise<Parts>;
  publicUrl(parts: Parts): string;
  currentUser(): Promise<User | null>;
  isOperator(user: User): boolean;
  /** Counts a request of the address, and again of the user once it is known. Throws `page_rate_limited`. */
  admit(parts: Parts, request: PageRequest<User>): void;
  /** Whether the session that asks was proved in the last 15 minutes. */
  hasRecentProof(parts: Parts): Promise<boolean>;
  report(parts: Parts, requestId: string, error: RelayError): void;
}

export type SiteHandler = (request: Request, context?: { params?: Promise<Record<string, string | string[]>> }) => Promise<Response>;

const BODY_BYTES_MAX = 64 * 1024;
/** Set by our own server from the connection, whatever the client sent under this name. */
export const ADDRESS_HEADER = "x-relay-client-address";

/**
 * Throws `cross_site_request` for a write that another site may have caused. Browsers say where a request comes from in
 * `Sec-Fetch-Site` or `Origin`; a client that sends neither has no cookies it could be tricked with.
 */
export function assertOwnOrigin(headers: Headers, publicUrl: string): void {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site !== null ? site === "same-origin" : origin === null || origin === new URL(publicUrl).origin) return;
  throw new RelayError("cross_site_request");
}

async function readBody(request: Request): Promise<Uint8Array> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) throw new RelayError("unsupported_media_type");
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    total += part.byteLength;
    if (total > BODY_BYTES_MAX) throw new RelayError("body_too_large", { message: `The body is larger than ${BODY_BYTES_MAX} bytes.` });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What people type as a secret is not repeated in a message. */
function withoutSecret(error: unknown): unknown {
  if (!isRelayError(error) || !/password$/i.test(error.param ?? "")) return error;
  return new RelayError(error.code, { param: error.param, message: "A password has 10 to 200 characters." });
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  try {
    refuseNul(value);
    validate(schema, value);
    return schema.parse(value);
  } catch (error) {
    throw withoutSecret(error);
  }
}

/** Joins a row with the process around it. The handler never rejects: every failure becomes an answer. */
export function siteHandler<Parts, User, Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType>(
  host: SiteHost<Parts, User>,
  row: SiteRow<Parts, User, Body, Query, Answer>,
): SiteHandler {
  async function answer(
    request: Request,
    context: { params?: Promise<Record<string, string | string[]>> },
    parts: Parts,
    headers: Record<string, string>,
  ) {
    const isWrite = request.method !== "GET" && request.method !== "HEAD";
    if (isWrite) assertOwnOrigin(request.headers, host.publicUrl(parts));
    const address = request.headers.get(ADDRESS_HEADER) ?? undefined;
    host.admit(parts, { isWrite, address, user: null });
    const user = row.session === "none" ? null : await host.currentUser();
    if (user !== null) host.admit(parts, { isWrite, address, user });
    if (row.session === "operator" && (user === null || !host.isOperator(user))) throw new RelayError("route_not_found");
    if (user === null && row.session === "required") throw new RelayError("sign_in_required");
    if (row.proof === "recent" && !(await host.hasRecentProof(parts))) throw new RelayError("proof_required");
    const body = row.body === null ? undefined : parse(row.body, parseStrictJson(await readBody(request)));
    const query = row.query === null ? undefined : parse(row.query, Object.fromEntries(new URL(request.url).searchParams));
    const id = String((await context.params)?.id ?? "");
    refuseNul({ id });
    const result = await row.run({
      parts,
      user() {
        if (user === null) throw new RelayError("sign_in_required");
        return user;
      },
      isSignedIn: user !== null,
      body: body as z.output<Body>,
      query: query as z.output<Query>,
      id,
      address,
      headers,
    });
    const parsed = row.answer.parse(result);
    if (parsed instanceof SiteFile) return fileResponse(parsed, headers);
    return new Response(JSON.stringify(parsed), {
      status: row.status ?? 200,
      headers: { ...headers, "content-type": JSON_TYPE },
    });
  }

  return async (request, context = {}) => {
    const requestId = newId("request");
    const headers: Record<string, string> = { "x-request-id": requestId, "cache-control": "no-store" };
    let parts: Parts | undefined;
    try {
      parts = await host.parts();
      return await answer(request, context, parts, headers);
    } catch (thrown) {
      const error = publicError(thrown);
      if (parts !== undefined && failures[error.code].status >= 500) host.report(parts, requestId, error);
      const { status, body } = failureAnswer(error, headers);
      return new Response(body, { status, headers });
    }
  };
}
