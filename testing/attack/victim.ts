/** Another customer: small ordinary requests at a steady low rate, each with how long it took. */
import { Agent, type IncomingMessage, request } from "node:http";
import type { Victim } from "./installation";

const EVERY_MS = 40;
const TIMEOUT_MS = 10_000;

interface Kind {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface VictimFigures {
  readonly requests: number;
  readonly failures: number;
  /** The first few failures. */
  readonly examples: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

function kindsOf({ apiKey, session }: Victim): Kind[] {
  const keyed = { authorization: `Bearer ${apiKey}` };
  const chat = (isStream: boolean) => ({
    name: isStream ? "stream" : "chat",
    method: "POST",
    path: "/v1/chat/completions",
    headers: { ...keyed, "content-type": "application/json" },
    body: JSON.stringify({ model: "relay-v1", messages: [{ role: "user", content: "Hello!" }], max_tokens: 32, stream: isStream }),
  });
  const api: Kind[] = [
    chat(false),
    { name: "models", method: "GET", path: "/v1/models", headers: keyed },
    chat(true),
    { name: "balance", method: "GET", path: "/v1/balance", headers: keyed },
  ];
  // The pages more seldom, as people do: what is limited per session must have room for an ordinary one.
  const pages: Kind[] = [{ name: "/pricing", method: "GET", path: "/pricing", headers: {} }];
  if (session !== null) pages.push({ name: "/api/me", method: "GET", path: "/api/me", headers: { cookie: session } });
  return pages.flatMap((page) => [...api, ...api, ...api, page]);
}

function sumUp(times: number[], examples: string[], failures: number): VictimFigures {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { requests: times.length + failures, failures, examples, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

/** Sends until `collect`ed; each call to `collect` tells of what was sent since the last one, and waits for what is under way. */
export function startVictim(victim: Victim) {
  const { host, port, localAddress, authority } = victim.target;
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const kinds = kindsOf(victim);
  const running = new Set<Promise<void>>();
  let times: number[] = [];
  let examples: string[] = [];
  let failures = 0;
  let next = 0;

  const fail = (kind: Kind, why: string) => {
    failures++;
    if (examples.length < 5) examples.push(`${kind.name}: ${why}`);
  };

  const send = (kind: Kind): Promise<void> =>
    new Promise((resolve) => {
      const startedAt = performance.now();
      const { method, path, body } = kind;
      const headers = { host: authority, ...kind.headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) };
      const settle = (why: string | null) => {
        if (why === null) times.push(performance.now() - startedAt);
        else fail(kind, why);
        resolve();
      };
      const read = (answer: IncomingMessage) => {
        let text = "";
        answer.on("data", (part: Buffer) => {
          if (text.length < 300) text += part.toString();
        });
        answer.once("end", () => settle(answer.statusCode === 200 ? null : `${answer.statusCode} ${text.slice(0, 200)}`));
        answer.once("error", (error) => settle(error.message));
      };
      const sent = request({ agent, host, port, localAddress, method, path, headers, timeout: TIMEOUT_MS }, read);
      sent.once("timeout", () => sent.destroy(new Error(`nothing for ${TIMEOUT_MS / 1000} s`)));
      sent.once("error", (error) => settle(error.message));
      sent.end(body);
    });

  const timer = setInterval(() => {
    const kind = kinds[next++ % kinds.length] as Kind;
    const work = send(kind).finally(() => running.delete(work));
    running.add(work);
  }, EVERY_MS);

  return {
    async collect(): Promise<VictimFigures> {
      await Promise.all(running);
      const figures = sumUp(times, examples, failures);
      [times, examples, failures] = [[], [], 0];
      return figures;
    },
    stop(): void {
      clearInterval(timer);
      agent.destroy();
    },
  };
}
