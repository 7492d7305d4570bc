/** Chat requests of a customer, and the readiness that a load balancer asks for. */
import { z } from "zod";
import { pause } from "@/lib/timing/pause";

const READINESS_MS = 5_000;
const ANSWER_MS = 60_000;
const charged = z.object({ usage: z.object({ points: z.number() }) });

function send(port: number, key: string, content: string, more: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "relay-v1", messages: [{ role: "user", content }], ...more }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
}

/** The points that a plain answer names. */
export async function ask(port: number, key: string, content: string): Promise<number> {
  const answer = await send(port, key, content, {});
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text.slice(0, 500)}`);
  return charged.parse(JSON.parse(text)).usage.points;
}

export interface Streamed {
  readonly points: number;
  /** Whether it ended with `[DONE]`. */
  readonly isWhole: boolean;
  readonly endedAt: number;
}

/** Reads a stream to its end; `onStart` is called at its first bytes. */
export async function askStream(
  port: number,
  key: string,
  content: string,
  onStart: () => void = () => {},
): Promise<Streamed> {
  const more = { stream: true, stream_options: { include_usage: true } };
  const answer = await send(port, key, content, more);
  if (answer.status !== 200 || answer.body === null)
    throw new Error(`${answer.status}: ${(await answer.text()).slice(0, 500)}`);
  let text = "";
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    if (text === "") onStart();
    text += part;
  }
  const events = text.split("\n\n").map((event) => event.replace(/^data: /, ""));
  const [points = 0] = events.flatMap((event) => {
    const found = event.startsWith("{") ? charged.safeParse(JSON.parse(event)) : undefined;
    return found?.success === true ? [found.data.usage.points] : [];
  });
  return { points, isWhole: text.trimEnd().endsWith("data: [DONE]"), endedAt: Date.now() };
}

/** The status of `/readyz`; waits some seconds until it is `wanted`. */
export async function readiness(port: number, wanted = 200): Promise<number> {
  for (const startedAt = Date.now(); ; await pause(50)) {
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === wanted || Date.now() - startedAt > READINESS_MS) return status;
  }
}
