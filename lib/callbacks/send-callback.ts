/** One delivery attempt over HTTP. */
import { type Dispatcher, request } from "undici";

export interface Attempt {
  readonly isDelivered: boolean;
  /** True when another attempt cannot help. */
  readonly isFinal: boolean;
  /**
   * The HTTP status, or `NO_ANSWER` for every failure without one; stored in the delivery's row.
   */
  readonly answer: string;
}

/**
 * An API client must not learn whether a name exists, an address is refused or a port is closed:
 * all of these are reported alike.
 */
const NO_ANSWER = "no answer";
/**
 * The longest an attempt may take, and the time after which a missing answer is reported, whatever
 * its cause.
 */
const PATIENCE_MS = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/**
 * Posts `body`. Any 2xx within 5 seconds is a delivery; 410 ends the deliveries of this state.
 * Redirects are not followed. Never rejects.
 */
async function sendCallback(
  dispatcher: Dispatcher,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  patienceMs: number,
): Promise<Attempt> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const answer = await request(url, {
      dispatcher,
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "user-agent": "relay-callback/1" },
      body,
      signal,
    });
    await answer.body.dump({ limit: ANSWER_BYTES_MAX, signal }).catch(() => {});
    const { statusCode } = answer;
    return {
      isDelivered: statusCode >= 200 && statusCode < 300,
      isFinal: statusCode === 410,
      answer: String(statusCode),
    };
  } catch {
    return { isDelivered: false, isFinal: false, answer: NO_ANSWER };
  }
}

/**
 * Posts `body` and records the result. One without an answer is recorded only after the common time
 * for all failures, so the caller gets it to do later.
 */
export async function sendPatiently(
  dispatcher: Dispatcher,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  record: (attempt: Attempt) => Promise<void>,
  patienceMs = PATIENCE_MS,
) {
  const startedAt = performance.now();
  const attempt = await sendCallback(dispatcher, url, headers, body, patienceMs);
  const note = () => record(attempt);
  if (attempt.answer === NO_ANSWER)
    return { afterMs: startedAt + patienceMs - performance.now(), note };
  await note();
  return undefined;
}
