/** One attempt of one delivery over HTTP. */
import { type Dispatcher, request } from "undici";

export interface Attempt {
  readonly isDelivered: boolean;
  /** True where another attempt cannot help. */
  readonly isFinal: boolean;
  /** The HTTP status, or the one word for everything that was no answer, for the delivery's row. */
  readonly answer: string;
}

/** Whether a name exists, an address is refused here or a port is closed is not the customer's to learn: they are one thing. */
export const NO_ANSWER = "no answer";
/** How long an attempt may take, and how long it takes to tell that there was no answer, whatever the reason. */
export const PATIENCE_MS = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** Posts `body`; any 2xx within 5 seconds is a delivery, 410 ends the deliveries of its task's state. Redirects are not followed. Never rejects. */
export async function sendCallback(
  dispatcher: Dispatcher,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Attempt> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
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
    return { isDelivered: statusCode >= 200 && statusCode < 300, isFinal: statusCode === 410, answer: String(statusCode) };
  } catch {
    return { isDelivered: false, isFinal: false, answer: NO_ANSWER };
  }
}
