/** Requests that the API reference sends from its page, as a program would send them. */
import { PLAYGROUND_PATH } from "../contract/page-paths";
import { shownAccountHeader } from "./call";
import { RequestError } from "./request-error";

/** The most of an answer that is kept to be shown. */
const SHOWN_CHARACTERS_MAX = 100_000;

export interface Trial {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With its parameter and query. */
  readonly path: string;
  /** Null: the page's own session. Empty: none is needed. */
  readonly apiKey: string | null;
  /** As JSON text; null for none. */
  readonly body: string | null;
}

export interface TrialAnswer {
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string | null;
  /** What was charged; null where the answer does not say it. */
  readonly points: string | null;
  readonly text: string;
}

async function ask({ method, path, apiKey, body }: Trial, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(apiKey === null ? `${PLAYGROUND_PATH}${path}` : path, {
      method,
      signal,
      credentials: apiKey === null ? "same-origin" : "omit",
      headers: {
        ...(apiKey === null ? shownAccountHeader() : {}),
        ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        ...(body === null ? {} : { "content-type": "application/json" }),
      },
      body,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new RequestError(0, "offline", "Nothing answered.");
  }
}

/** JSON text with indents; other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const POINTS_DECIMALS = 6;

/** Decimal points as pages write them. */
export const pointsText = (points: number) => points.toFixed(POINTS_DECIMALS);

/** The points in the usage of a streamed answer, which is at its end. */
function pointsIn(text: string): string | null {
  const name = '"points":';
  const at = text.lastIndexOf(name);
  const points = at === -1 ? Number.NaN : Number.parseFloat(text.slice(at + name.length));
  return Number.isFinite(points) ? pointsText(points) : null;
}

/**
 * Sends the request and reads the answer; `onText` gets what has arrived of it. Throws
 * `RequestError` when nothing answered.
 */
export async function sendTrial(
  trial: Trial,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<TrialAnswer> {
  const start = performance.now();
  const response = await ask(trial, signal);
  const decoder = new TextDecoder();
  let text = "";
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const { value } = part;
    if (text.length < SHOWN_CHARACTERS_MAX) text += decoder.decode(value, { stream: true });
    onText(text);
  }
  const charged = response.headers.get("x-relay-points");
  const type = response.headers.get("content-type") ?? "";
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - start),
    requestId: response.headers.get("x-request-id"),
    points: charged === null ? pointsIn(text) : pointsText(Number(charged)),
    text: type.includes("json") ? indented(text) : text,
  };
}
