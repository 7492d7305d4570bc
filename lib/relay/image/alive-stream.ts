/** A stream whose images take long: it begins without them, and comments keep its connection open. */
import type { Outgoing } from "../../http/exchange";
import { failureText, publicError } from "../../http/failure-answer";
import { pause } from "../../timing/pause";

export const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

const KEEP_ALIVE = ": keep-alive\n\n";
const SILENCE_MS = 10_000;
const silent = Symbol("silent");

async function silence(ms: number): Promise<typeof silent> {
  await pause(ms, { isUnref: true });
  return silent;
}

type Done = Promise<{ readonly text: string }>;

async function* aliveUntil(done: Done, silenceMs: number): AsyncGenerator<string> {
  for (;;) {
    yield KEEP_ALIVE;
    try {
      const first = await Promise.race([done, silence(silenceMs)]);
      if (first === silent) continue;
      return yield first.text;
    } catch (error) {
      return yield `data: ${failureText(publicError(error))}\n\n`;
    }
  }
}

/**
 * The answer with the events of a stream. What ends before the first silence is over is answered as
 * it is, a failure with its status; otherwise the stream begins, and a failure is its last event.
 * Whether or not the client reads on, the work goes on.
 */
export async function answerAlive(
  headers: Record<string, string>,
  done: Done,
  silenceMs = SILENCE_MS,
): Promise<Outgoing> {
  const first = await Promise.race([done, silence(silenceMs)]);
  Object.assign(headers, streamHeaders);
  if (first !== silent) return { status: 200, headers, body: first.text };
  done.catch(() => {});
  return { status: 200, headers, body: aliveUntil(done, silenceMs) };
}
