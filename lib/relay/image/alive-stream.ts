/**
 * A stream whose parts take long: it begins with the first that is ready, or without any after a
 * while, and comments keep its connection open.
 */
import type { Outgoing } from "../../http/exchange";
import { failureText, publicError } from "../../http/failure-answer";
import { streamHeaders } from "../../http/stream-headers";
import { pause } from "../../timing/pause";
import { resolvers } from "../../timing/resolvers";

const KEEP_ALIVE = ": keep-alive\n\n";
const SILENCE_MS = 10_000;
const silent = Symbol("silent");

async function silence(ms: number): Promise<typeof silent> {
  await pause(ms, { isUnref: true });
  return silent;
}

/** Text that waits for its reader. Nothing waits once the reader has left. */
export class WaitingText {
  #text = "";
  #isClosed = false;
  #come = resolvers<null>();

  push(text: string): void {
    if (this.#isClosed) return;
    this.#text += text;
    this.#come.resolve(null);
  }

  /** Resolves once there is some. */
  some(): Promise<null> {
    return this.#come.promise;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    this.#come = resolvers<null>();
    return text;
  }

  close(): void {
    this.#isClosed = true;
    this.#text = "";
  }
}

/** The last part of a stream. */
type Done = Promise<{ readonly text: string }>;

async function* aliveUntil(
  waiting: WaitingText,
  done: Done,
  silenceMs: number,
): AsyncGenerator<string> {
  try {
    for (;;) {
      yield waiting.take() || KEEP_ALIVE;
      const next = await Promise.race([done, waiting.some(), silence(silenceMs)]);
      if (next !== null && next !== silent) return yield waiting.take() + next.text;
    }
  } catch (error) {
    yield `${waiting.take()}data: ${failureText(publicError(error))}\n\n`;
  } finally {
    waiting.close();
  }
}

/**
 * The answer with what waits, and `done` as its end. What ends before anything waits and before the
 * first silence is over is answered as it is, a failure with its status; otherwise the stream begins,
 * and a failure is its last event. The work continues when the client stops reading.
 */
export async function answerAlive(
  headers: Record<string, string>,
  waiting: WaitingText,
  done: Done,
  silenceMs = SILENCE_MS,
): Promise<Outgoing> {
  const first = await Promise.race([done, waiting.some(), silence(silenceMs)]);
  Object.assign(headers, streamHeaders);
  if (first !== null && first !== silent)
    return { status: 200, headers, body: waiting.take() + first.text };
  done.catch(() => {});
  return { status: 200, headers, body: aliveUntil(waiting, done, silenceMs) };
}
