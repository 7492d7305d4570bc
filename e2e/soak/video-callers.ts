import { pause } from "@/lib/pause";

/** Callers that keep ordering videos, in both styles, and record how each order ended for them. */

interface Ended {
  readonly taskId: string;
  readonly status: string;
  readonly outputTokens: number | null;
  readonly url: string | null;
}

export interface VideoCallers {
  /** By the order's prompt: the last state that the caller received. */
  readonly ended: Map<string, Ended>;
  /** Prompts ordered with an idempotency key, which may therefore have been sent more than once. */
  readonly retried: Set<string>;
  stop(): Promise<void>;
}

interface TaskBody {
  readonly id: string;
  readonly status: string;
  readonly usage?: { readonly completion_tokens: number };
  readonly content?: { readonly video_url?: string };
}

const PATIENCE_MS = 900_000;
const terminal = new Set(["succeeded", "failed", "cancelled", "expired"]);
const orderText = (prompt: string) => ({
  model: "Super-Relay1.5",
  content: [{ type: "text", text: `${prompt} --rs 480p --dur 5` }],
});

interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  /** The next address. */
  url(): string;
}

async function post(
  { url, headers }: Caller,
  path: string,
  body: unknown,
  key: string | null,
): Promise<{ answer: Response; body: Record<string, unknown> } | null> {
  const answer = await fetch(`${url()}${path}`, {
    method: "POST",
    headers: key ? { ...headers, "idempotency-key": key } : headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => null);
  const text = await answer?.text().catch(() => null);
  return answer && text ? { answer, body: JSON.parse(text) } : null;
}

async function pollToEnd({ url, headers }: Caller, taskId: string): Promise<TaskBody | null> {
  // A task whose process was killed waits for its lease to run out, perhaps several times over.
  for (const started = Date.now(); Date.now() - started < PATIENCE_MS; ) {
    const answer = await fetch(`${url()}/v1/contents/generations/tasks/${taskId}`, {
      headers,
    }).catch(() => null);
    const body = answer?.ok ? ((await answer.json().catch(() => null)) as TaskBody | null) : null;
    if (body && terminal.has(body.status)) return body;
    await pause(150 + Math.random() * 100);
  }
  return null;
}

/**
 * Starts `count` callers that use the addresses in turn: submit and poll, or one call that waits.
 */
export function startVideoCallers(
  urls: readonly string[],
  apiKey: string,
  count: number,
): VideoCallers {
  const ended = new Map<string, Ended>();
  const retried = new Set<string>();
  let isStopped = false;
  let turn = 0;
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const caller: Caller = { headers, url: () => urls[turn++ % urls.length] ?? "" };

  async function byTask(prompt: string): Promise<void> {
    const key = Math.random() < 0.5 ? prompt : null;
    if (key) retried.add(prompt);
    for (let attempt = 0; attempt < (key ? 30 : 1); attempt++) {
      const made = await post(caller, "/v1/contents/generations/tasks", orderText(prompt), key);
      if (made?.answer.status === 200) {
        const task = await pollToEnd(caller, String(made.body.id));
        const outputTokens = task?.usage?.completion_tokens ?? null;
        const url = task?.content?.video_url ?? null;
        ended.set(prompt, {
          taskId: String(made.body.id),
          status: task?.status ?? "never",
          outputTokens,
          url,
        });
        return;
      }
      await pause(200);
    }
  }

  async function byCall(prompt: string): Promise<void> {
    const made = await post(
      caller,
      "/v1/videos/generations",
      { model: "Super-Relay1.5", prompt, resolution: "480p" },
      null,
    );
    if (made?.answer.status !== 200) return;
    const taskId = made.answer.headers.get("x-relay-task-id") ?? "";
    ended.set(prompt, {
      taskId,
      status: "succeeded",
      outputTokens: null,
      url: String(made.body.video_url),
    });
  }

  const one = async (index: number) => {
    for (let order = 0; !isStopped; order++) {
      const prompt = `order ${index}-${order}-${Math.random().toString(36).slice(2, 10)}`;
      await (order % 3 === 2 ? byCall(prompt) : byTask(prompt)).catch(() => null);
    }
  };
  const all = Array.from({ length: count }, (_, index) => one(index));
  return {
    ended,
    retried,
    stop: async () => {
      isStopped = true;
      await Promise.all(all);
    },
  };
}
