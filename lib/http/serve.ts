/** The path of every API request: principal → rate limit → body → parse → run → answer. */
import type { KeyAuthenticator } from "../accounts/key-authenticator";
import type { Principal, SessionPrincipal, SignedIn } from "../accounts/principal";
import type { AdmitTags } from "../accounts/tag-book";
import type { AnswerOf, BodyOf, EndpointRow } from "../contract/endpoint";
import type { Tags } from "../contract/tags";
import { newId } from "../crypto/ids";
import { failures } from "../failures/failure-table";
import type { RelayError } from "../failures/relay-error";
import type { BodyMemory } from "../limits/body-memory";
import type { KeyLimiter } from "../limits/key-limiter";
import type { RunningWork } from "../limits/running-work";
import { setRateLimitHeaders, startHeaders } from "./answer-headers";
import { assertAdmitted } from "./assert-admitted";
import { TAGS_HEADER, tagsOf } from "./call-tags";
import { type Edge, ownEdge } from "./edge";
import { type Endpoint, goneSignal, type Incoming, isStream, type Outgoing } from "./exchange";
import { failureAnswer, failureText, JSON_TYPE, publicError } from "./failure-answer";
import { receiveForm } from "./form-body";
import { pathParameter } from "./path-parameter";
import { isFormBody, noBody, type RawBody, receiveBody } from "./raw-body";
import { validateBody } from "./validate";

/** The part of a logger that the request path needs. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ServeDeps {
  readonly keyAuthenticator: KeyAuthenticator;
  /** Rejects with `sign_in_required`, `account_suspended` or `database_unavailable`. */
  sessionPrincipal(signedIn: SignedIn): Promise<SessionPrincipal>;
  readonly keyLimiter: KeyLimiter;
  readonly log: Log;
  readonly idempotencyRunner: IdempotencyRunner;
  readonly running: RunningWork;
  readonly bodyMemory: BodyMemory;
  readonly admitTags: AdmitTags;
}

/** One request, in the form that is the same for all rows. */
export interface Call {
  readonly row: EndpointRow;
  readonly incoming: Incoming;
  readonly requestId: string;
  /** The headers of the answer. Every answer has these; a use case may add others. */
  readonly headers: Record<string, string>;
  /** The value of the path's `{parameter}`; empty when the path has none. */
  readonly parameter: string;
  /** The body as it arrived. */
  readonly rawBody: RawBody;
  /** The parsed body, checked against the row's schema. */
  readonly body: unknown;
  readonly principal: Principal;
  /** Of an order; null for none. */
  readonly tags: Tags | null;
  /** Present when the request has an Idempotency-Key. */
  readonly idempotency?: IdempotentRun;
}

/**
 * A call with the types of its row: a body of the row's schema, and a principal that the row
 * admits.
 */
export interface CallOf<Row extends EndpointRow> extends Call {
  readonly row: Row;
  readonly body: BodyOf<Row>;
  readonly principal: Extract<Principal, { kind: Row["admits"][number] }>;
}

export type UseCase<Row extends EndpointRow> = (call: CallOf<Row>) => Outgoing | Promise<Outgoing>;

/** How a use case takes part in running a request once. */
export interface IdempotentRun {
  /**
   * The id that its operation must have. If this process dies, a retry finds the operation by it.
   */
  readonly operationId: string;
  /**
   * Another id for an operation that follows the one before, which was released; null when a retry took
   * the request over meanwhile.
   */
  renew(): Promise<string | null>;
  /** The key of the request's row. */
  readonly key: string;
  /**
   * True when an earlier attempt opened the operation and it is still open: join it, do not open
   * another.
   */
  readonly isResumed: boolean;
  /**
   * Stores the answer's text before the charge. False when a retry took the request over, so
   * nothing may be charged.
   */
  keep(body: string): Promise<boolean>;
  /** Whether a streamed answer is stored too. */
  readonly keepsStream: boolean;
  /** False where an answer that is too large to parse at once is not stored. */
  readonly keepsLarge?: boolean;
  /** What an attempt made that ended before its answer was stored; sealed. */
  readonly made?: Uint8Array;
}

export interface IdempotencyRunner {
  /**
   * Runs `work`, or returns the answer to an earlier request with the same key. Throws 400, 409,
   * 422. The answer to a change is stored for the key that asked alone.
   */
  run<Row extends EndpointRow>(
    key: string,
    call: CallOf<Row>,
    work: UseCase<Row>,
  ): Promise<Outgoing>;
  /**
   * Runs `work` for a request without a key. When the client says that it is a retry and the
   * endpoint supports it, the request joins the order it repeats.
   */
  runUnkeyed<Row extends EndpointRow>(
    call: CallOf<Row>,
    work: UseCase<Row>,
  ): Outgoing | Promise<Outgoing>;
  /** Called for each answer that says "try again" and is sent: a retry that follows it repeats no order. */
  noteFailure(row: EndpointRow, principal: Principal): void;
}

function reportFailure(log: Log, error: RelayError, requestId: string, row: EndpointRow): void {
  if (error.code === "internal_error")
    log.error(
      { requestId, endpoint: row.name, err: error.cause ?? error },
      "request failed inside",
    );
  else if (error.internal !== undefined) {
    log.warn(
      { requestId, endpoint: row.name, code: error.code, internal: error.internal },
      "request not served",
    );
  }
}

/** A call while it is being built. */
interface OpenCall<Row extends EndpointRow = EndpointRow> {
  readonly row: Row;
  readonly incoming: Incoming;
  readonly requestId: string;
  readonly headers: Record<string, string>;
  parameter: string;
  rawBody: RawBody;
  body: unknown;
  principal: Principal | undefined;
  tags: Tags | null;
}

/** Reads the tags of an order, and notes new ones. Throws before anything is held. */
function tagInto(call: OpenCall, { admitTags }: ServeDeps): Promise<void> | undefined {
  const { row, body, incoming, principal } = call;
  call.tags = tagsOf(incoming.header(TAGS_HEADER), body, row.hasMetadata === true);
  if (call.tags === null || principal === undefined) return undefined;
  return admitTags(principal, call.tags);
}

/**
 * Reads the body, and the tags of an order, into the call. Nothing else refers to the body, so that a
 * request that waits for another one's answer can drop it.
 */
async function receiveInto(call: OpenCall, deps: ServeDeps): Promise<void> {
  const { row } = call;
  const receive = isFormBody(row, call.incoming) ? receiveForm : receiveBody;
  const { rawBody: sent, value } = await receive(
    row,
    call.incoming,
    deps.bodyMemory,
    call.principal?.accountId ?? "",
  );
  call.rawBody = sent;
  call.body = value;
  await sent.step(() => validateBody(row, value));
  const noted = row.billing === "generation" ? tagInto(call, deps) : undefined;
  if (noted !== undefined) await noted;
}

function runIdempotently<Row extends EndpointRow>(
  call: CallOf<Row>,
  { idempotencyRunner }: ServeDeps,
  run: UseCase<Row>,
): Outgoing | Promise<Outgoing> {
  const idempotencyKey = call.incoming.header("idempotency-key");
  const { billing, isOncePerKey = false } = call.row;
  if (billing === "free" && (idempotencyKey === undefined || !isOncePerKey)) return run(call);
  return idempotencyKey === undefined
    ? idempotencyRunner.runUnkeyed(call, run)
    : idempotencyRunner.run(idempotencyKey, call, run);
}

/**
 * Builds the endpoint of a row and its use case. It never rejects: every failure becomes an answer.
 * `edgeOf`: how a request is read and answered at the edge, if not in our own way.
 */
export function serve<Row extends EndpointRow>(
  row: Row,
  deps: ServeDeps,
  run: UseCase<Row>,
  edgeOf: (incoming: Incoming) => Edge = () => ownEdge,
): Endpoint {
  const isOpen = row.admits.includes("anyone");
  return async (incoming, signedIn) => {
    const requestId = newId("request");
    const headers = startHeaders(incoming, requestId);
    const edge = edgeOf(incoming);
    const call: OpenCall<Row> = {
      row,
      incoming,
      requestId,
      headers,
      parameter: "",
      rawBody: noBody,
      body: undefined,
      principal: undefined,
      tags: null,
    };
    try {
      call.parameter = pathParameter(row, incoming.path);
      if (!isOpen) {
        const found = signedIn
          ? deps.sessionPrincipal(signedIn)
          : deps.keyAuthenticator.identify(edge.authorization(incoming), incoming);
        const principal = found instanceof Promise ? await found : found;
        call.principal = principal;
        if (row.rate !== "none") {
          const rateLimit = deps.keyLimiter.take(
            principal.rateSubject,
            principal.requestsPerMinute,
            row.rate,
          );
          setRateLimitHeaders(
            rateLimit instanceof Promise ? await rateLimit : rateLimit,
            principal,
            headers,
          );
        }
        assertAdmitted(row, principal);
        edge.addHeaders?.(headers);
        // Refuses a request that could not run now before its body is read.
        if (row.billing === "generation") deps.running.assertOpen(principal);
      }
      if (row.request) await receiveInto(call, deps);
      // The schema accepted the body and the row admits the principal, so the row's types hold from
      // here on.
      const ready = call as CallOf<Row>;
      const outgoing = await ready.rawBody.step(() => runIdempotently(ready, deps, run));
      // The use case of a stream releases the body at the end of the stream.
      if (!isStream(outgoing.body)) call.rawBody.release();
      return outgoing;
    } catch (thrown) {
      const error = publicError(thrown);
      if (failures[error.code].status < 500) call.rawBody.refuse();
      else call.rawBody.release();
      reportFailure(deps.log, error, requestId, row);
      const { principal } = call;
      const isForRetry = row.billing === "generation" && failures[error.code].isRetryable;
      if (principal && isForRetry && !goneSignal(incoming).aborted)
        deps.idempotencyRunner.noteFailure(row, principal);
      edge.addHeaders?.(headers);
      const body = signedIn ? failureText(error, "page") : edge.failureText(error, requestId);
      return failureAnswer(error, headers, body);
    }
  };
}

/** The row's answer, as JSON with status 200. */
export function jsonAnswer<Row extends EndpointRow>(
  call: CallOf<Row>,
  answer: AnswerOf<Row>,
): Outgoing {
  return jsonTextAnswer(call, JSON.stringify(answer));
}

/** An answer whose JSON text already exists. */
export function jsonTextAnswer(call: Pick<Call, "headers">, body: string): Outgoing {
  call.headers["content-type"] = JSON_TYPE;
  return { status: 200, headers: call.headers, body };
}

/** An endpoint that refuses every request: for an unknown address or a wrong method. */
export function refusing(error: RelayError): Endpoint {
  return async (incoming) => failureAnswer(error, startHeaders(incoming, newId("request")));
}
