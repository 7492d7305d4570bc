/**
 * Another account: small ordinary requests at a low, steady rate. Records for each the longest time
 * in which nothing arrived.
 */
import { Agent, type IncomingMessage, request } from "node:http";
import type { Victim } from "./installation";

const EVERY_MS = 40;
const NEW_KEY_EVERY_MS = 4_000;
const TIMEOUT_MS = 10_000;
const KEPT_CHARACTERS = 4_000;

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
  /** The first failures. */
  readonly examples: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The kinds of requests with the longest times, the slowest first. */
  readonly slowest: readonly string[];
}

function kindsOf({ apiKey, session }: Victim): Kind[] {
  const keyed = { authorization: `Bearer ${apiKey}` };
  const chat = (isStream: boolean) => ({
    name: isStream ? "stream" : "chat",
    method: "POST",
    path: "/v1/chat/completions",
    headers: { ...keyed, "content-type": "application/json" },
    body: JSON.stringify({
      model: "relay-v1",
      messages: [{ role: "user", content: "Hello!" }],
      max_tokens: 32,
      stream: isStream,
    }),
  });
  const api: Kind[] = [
    chat(false),
    { name: "models", method: "GET", path: "/v1/models", headers: keyed },
    chat(true),
    { name: "balance", method: "GET", path: "/v1/balance", headers: keyed },
  ];
  // Pages are requested less often, as by a person: limits per session must allow an ordinary user.
  const pages: Kind[] = [{ name: "/pricing", method: "GET", path: "/pricing", headers: {} }];
  if (session !== null)
    pages.push({ name: "/api/me", method: "GET", path: "/api/me", headers: { cookie: session } });
  return pages.flatMap((page) => [...api, ...api, ...api, page]);
}

interface Timed {
  readonly name: string;
  readonly ms: number;
}

const SLOWEST_TOLD = 5;

function sumUp(timed: Timed[], examples: string[], failures: number): VictimFigures {
  timed.sort((a, b) => a.ms - b.ms);
  const at = (share: number) =>
    timed[Math.min(timed.length - 1, Math.floor(timed.length * share))]?.ms ?? Number.NaN;
  const slowest = timed.slice(-SLOWEST_TOLD).reverse();
  return {
    requests: timed.length + failures,
    failures,
    examples,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    slowest: slowest.map(({ name, ms }) => `${name} ${Math.round(ms)} ms`),
  };
}

interface Reply {
  readonly status: number;
  readonly text: string;
  /**
   * The longest time in which nothing arrived. The total time of a stream depends on its upstream;
   * its pauses also depend on the product.
   */
  readonly silenceMs: number;
}

function sender({ host, port, localAddress, authority }: Victim["target"], agent: Agent) {
  return ({ method, path, headers, body }: Omit<Kind, "name">): Promise<Reply> =>
    new Promise((resolve, reject) => {
      let lastAt = performance.now();
      let silenceMs = 0;
      const hear = () => {
        silenceMs = Math.max(silenceMs, performance.now() - lastAt);
        lastAt = performance.now();
      };
      const length: Record<string, string> =
        body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const options = { agent, host, port, localAddress, method, path, timeout: TIMEOUT_MS };
      const sent = request(
        { ...options, headers: { host: authority, ...headers, ...length } },
        (answer: IncomingMessage) => {
          let text = "";
          hear();
          answer.on("data", (part: Buffer) => {
            hear();
            if (text.length < KEPT_CHARACTERS) text += part.toString();
          });
          answer.once("end", () => {
            hear();
            resolve({ status: answer.statusCode ?? 0, text, silenceMs });
          });
          answer.once("error", reject);
        },
      );
      sent.once("timeout", () => sent.destroy(new Error(`nothing for ${TIMEOUT_MS / 1000} s`)));
      sent.once("error", reject);
      sent.end(body);
    });
}

/** A new key must work at once, however many unknown keys are tried. */
async function useNewKey(
  send: ReturnType<typeof sender>,
  cookie: string,
  origin: string,
): Promise<Reply> {
  const headers = { cookie, origin, "content-type": "application/json" };
  const made = await send({ method: "POST", path: "/api/keys", headers, body: '{"name":"new"}' });
  if (made.status !== 201) return made;
  const { key, secret } = JSON.parse(made.text) as { key: { id: string }; secret: string };
  const reply = await send({
    method: "GET",
    path: "/v1/balance",
    headers: { authorization: `Bearer ${secret}` },
  });
  await send({ method: "POST", path: `/api/keys/${key.id}/revoke`, headers, body: "{}" });
  return reply;
}

/**
 * Sends until stopped. `collect` returns the figures since its last call, and waits for requests in
 * flight.
 */
export function startVictim(victim: Victim) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const send = sender(victim.target, agent);
  const kinds = kindsOf(victim);
  const running = new Set<Promise<void>>();
  const { session } = victim;
  let timed: Timed[] = [];
  let examples: string[] = [];
  let failures = 0;
  let next = 0;

  const run = (name: string, work: () => Promise<Reply>) => {
    const fail = (why: string) => {
      failures++;
      if (examples.length < 5) examples.push(`${name}: ${why}`);
    };
    const done = work()
      .then(
        ({ status, text, silenceMs }) =>
          status === 200
            ? void timed.push({ name, ms: silenceMs })
            : fail(`${status} ${text.slice(0, 200)}`),
        (error: Error) => fail(error.message),
      )
      .finally(() => running.delete(done));
    running.add(done);
  };

  const timers = [
    setInterval(() => {
      const kind = kinds[next++ % kinds.length] as Kind;
      run(kind.name, () => send(kind));
    }, EVERY_MS),
  ];
  if (session !== null)
    timers.push(
      setInterval(
        () => run("a new key", () => useNewKey(send, session, victim.origin)),
        NEW_KEY_EVERY_MS,
      ),
    );

  return {
    async collect(): Promise<VictimFigures> {
      await Promise.all(running);
      const figures = sumUp(timed, examples, failures);
      [timed, examples, failures] = [[], [], 0];
      return figures;
    },
    stop(): void {
      for (const timer of timers) clearInterval(timer);
      agent.destroy();
    },
  };
}
