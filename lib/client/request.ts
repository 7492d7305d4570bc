import * as z from "zod";
import { RequestError } from "./request-error";

// Apart, for the pages that need the error but not the schemas.
export { RequestError };

// zod would try `new Function`, which the content security policy refuses and reports.
z.config({ jitless: true });

const errorBody = z.object({ error: z.object({ message: z.string(), code: z.string(), param: z.string().nullable().default(null) }) });

export interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** What an answer that was not a success says of itself. */
export async function failureOf(response: Response): Promise<RequestError> {
  return errorOf(response, await readJson(response));
}

function errorOf(response: Response, answer: unknown): RequestError {
  const requestId = response.headers.get("x-request-id");
  const wait = Number(response.headers.get("retry-after"));
  const parsed = errorBody.safeParse(answer);
  if (!parsed.success) return new RequestError(response.status, "unreadable", response.statusText, null, requestId);
  const { code, message, param } = parsed.data.error;
  return new RequestError(response.status, code, message, param, requestId, wait > 0 ? wait : null);
}

/** Asks our own API and gives the answer parsed by `schema`. Throws `RequestError`, with `code: "offline"` when nothing answered. */
export async function request<Answer>(path: string, schema: z.ZodType<Answer>, { method = "GET", body, signal }: RequestOptions = {}) {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      signal: signal ?? null,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new RequestError(0, "offline", "Nothing answered.");
  }
  const answer = await readJson(response);
  if (!response.ok) throw errorOf(response, answer);
  const parsed = schema.safeParse(answer);
  if (!parsed.success) {
    throw new RequestError(response.status, "unreadable", "The answer was not understood.", null, response.headers.get("x-request-id"));
  }
  return parsed.data;
}
