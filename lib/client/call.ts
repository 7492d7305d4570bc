/**
 * The only way in which a page calls its own server: a row of an endpoint table and the row's
 * input.
 */
import * as z from "zod";
import type { Callable, PageAnswerOf, PageInputOf } from "../contract/page-endpoint";
import { RequestError } from "./request-error";
import { shownAccountHeader } from "./shown-account-header";

// In a file of its own for pages that need the error but not the schemas.
export { RequestError };

const errorBody = z.object({
  error: z.looseObject({
    message: z.string(),
    code: z.string(),
    param: z.string().nullable().default(null),
  }),
});

export type CallInput<Row extends Callable> = PageInputOf<Row> & {
  readonly signal?: AbortSignal;
  /** Sent again with the same body, the request is answered once, and charged once. */
  readonly idempotencyKey?: string;
};

/** The input of any row. */
interface Sent {
  readonly id?: string;
  readonly query?: object;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}
const sentOf = (input: object): Sent => input;

let askForProof = async (): Promise<boolean> => false;

/** Sets how the password is asked for when a row requires a recent one and the session has none. */
export function onProofWanted(ask: () => Promise<boolean>): void {
  askForProof = ask;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** The error that an unsuccessful response describes. */
async function failureOf(response: Response): Promise<RequestError> {
  const requestId = response.headers.get("x-request-id");
  const wait = Number(response.headers.get("retry-after"));
  const parsed = errorBody.safeParse(await readJson(response));
  if (!parsed.success)
    return new RequestError(response.status, "unreadable", response.statusText, null, requestId);
  const { code, message, param, ...facts } = parsed.data.error;
  const seconds = wait > 0 ? wait : null;
  return new RequestError(response.status, code, message, param, requestId, seconds, facts);
}

/** The row's address for a link, with the query parameters that are set. */
export function addressOf<Row extends Callable>(
  row: Row,
  input: PageInputOf<Row> & object,
): string {
  const { id = "", query = {} } = sentOf(input);
  const path = row.path.replace("{id}", encodeURIComponent(id));
  const asked = Object.entries<string | undefined>({ ...query }).filter(
    (pair): pair is [string, string] => Boolean(pair[1]),
  );
  return asked.length === 0 ? path : `${path}?${new URLSearchParams(asked)}`;
}

async function send(row: Callable, address: string, sent: Sent): Promise<Response> {
  const { body, signal, idempotencyKey } = sent;
  let response: Response;
  try {
    response = await fetch(address, {
      method: row.method,
      signal: signal ?? null,
      headers: {
        ...shownAccountHeader(),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted || (error instanceof DOMException && error.name === "AbortError"))
      throw error;
    throw new RequestError(0, "offline", "Nothing answered.");
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

/**
 * The raw response, for callers that read it themselves. Throws `RequestError` with `code:
 * "offline"` when nothing answered.
 */
export async function ask<Row extends Callable>(
  row: Row,
  input: CallInput<Row>,
): Promise<Response> {
  const [address, sent] = [addressOf(row, input), sentOf(input)];
  try {
    return await send(row, address, sent);
  } catch (error) {
    const isProofWanted =
      row.proof && error instanceof RequestError && error.code === "proof_required";
    if (!isProofWanted || !(await askForProof())) throw error;
    return send(row, address, sent);
  }
}

/**
 * The row's answer, parsed by the row's schema. Throws `RequestError`: `offline` when nothing
 * answered, `proof_required` when the user did not enter the password, `unreadable` for an answer
 * that does not match the schema.
 */
export async function call<Row extends Callable>(
  row: Row,
  input: CallInput<Row>,
): Promise<PageAnswerOf<Row>> {
  const response = await ask(row, input);
  const schema: Callable["answer"] = row.answer;
  const parsed =
    schema === "csv" || schema === "pdf" ? undefined : schema.safeParse(await readJson(response));
  if (!parsed?.success) {
    throw new RequestError(
      response.status,
      "unreadable",
      "The answer is invalid.",
      null,
      response.headers.get("x-request-id"),
    );
  }
  return parsed.data as PageAnswerOf<Row>;
}
