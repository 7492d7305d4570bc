/** The clients of a run: each keeps ordering, and notes in the book what it was told. */
import { z } from "zod";
import { pause } from "@/lib/timing/pause";
import type { Random } from "@/testing/extent/random";
import type { Told, Writing } from "./book";
import type { Order } from "./orders";

const ORDER_MS_MAX = 180_000;
const ATTEMPTS = 40;
const PAUSE_MS_MAX = 500;
/** Errors after which the same request may be sent again. */
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const finalErrors = new Set(["idempotency_finished", "idempotency_key_reused"]);
const terminal = new Set(["succeeded", "failed", "cancelled", "expired"]);

const errorBody = z.object({ error: z.object({ code: z.string().nullish() }) });
const taskBody = z.object({
  id: z.string(),
  status: z.string().default("queued"),
  content: z.object({ video_url: z.string() }).optional(),
});
const madeBody = z.object({ video_url: z.string().optional() });
const VIDEOS_SEEN = 20;

/** What came of one attempt; `ref` as in the book. */
interface Outcome {
  readonly what: Told;
  readonly ref: string | null;
  readonly isPassing: boolean;
}
const outcome = (what: Told, ref: string | null = null, isPassing = false): Outcome => ({
  what,
  ref,
  isPassing,
});

export interface ClientsOptions {
  readonly urls: readonly string[];
  readonly apiKey: string;
  readonly count: number;
  readonly random: Random;
  readonly nextOrder: () => Order;
  readonly book: Writing;
  /** The longest pause between two orders; half a second unless given. */
  readonly pauseMs?: number;
}

export interface Clients {
  readonly seen: {
    /** Attempts of clients that waited, without a whole answer. */
    failed: number;
    whole: number;
    /** The addresses of the last videos. */
    readonly videos: string[];
  };
  /** Lets every client finish what it has sent. */
  stop(): Promise<void>;
}

async function readText(answer: Response, isSlow: boolean): Promise<string> {
  if (!isSlow || answer.body === null) return answer.text();
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of answer.body) {
    text += decoder.decode(part, { stream: true });
    await pause(10);
  }
  return text;
}

/** A text answer names the upstream's own id in its first words. */
const refIn = (text: string) => /(?:text|video)-\d+/.exec(text)?.[0] ?? null;

function judge(order: Order, status: number, text: string): Outcome {
  if (status !== 200) {
    const parsed = errorBody.safeParse(JSON.parse(text));
    const code = (parsed.success ? parsed.data.error.code : null) ?? `status ${status}`;
    const isFinal = finalErrors.has(code) || !passing.has(status);
    return outcome("refused", `${code}`, !isFinal);
  }
  if (!order.isStream) return outcome("whole", order.family === "text" ? refIn(text) : null);
  if (text.endsWith("data: [DONE]\n\n") && !/^data: \{"error"/m.test(text))
    return outcome("whole", refIn(text));
  return outcome("cut", null, true);
}

class Client {
  constructor(
    readonly options: ClientsOptions,
    readonly seen: Clients["seen"],
  ) {}

  #url(): string {
    const { urls, random } = this.options;
    return urls[random.between(0, urls.length - 1)] ?? "";
  }

  #headers({ id, isKeyed }: Order): Record<string, string> {
    const headers = {
      authorization: `Bearer ${this.options.apiKey}`,
      "content-type": "application/json",
    };
    return isKeyed ? { ...headers, "idempotency-key": `soak-${id}` } : headers;
  }

  async #send(order: Order): Promise<Outcome> {
    const leaving = new AbortController();
    const isLeaving = order.conduct === "leaves";
    const { random } = this.options;
    const patience = isLeaving ? random.between(1, 250) : ORDER_MS_MAX;
    const timer = setTimeout(() => leaving.abort(), patience);
    try {
      const answer = await fetch(`${this.#url()}${order.path}`, {
        method: "POST",
        headers: this.#headers(order),
        body: order.body,
        signal: leaving.signal,
      });
      const text = await readText(answer, order.conduct === "reads slowly");
      if (order.isTask && answer.ok)
        return isLeaving ? outcome("left") : await this.#poll(order, text);
      if (order.family === "video" && answer.status === 200)
        this.#see(madeBody.parse(JSON.parse(text)).video_url);
      return judge(order, answer.status, text);
    } catch {
      return isLeaving && leaving.signal.aborted ? outcome("left") : outcome("cut", null, true);
    } finally {
      clearTimeout(timer);
    }
  }

  async #poll(order: Order, text: string): Promise<Outcome> {
    const { id } = taskBody.parse(JSON.parse(text));
    for (const started = Date.now(); Date.now() - started < ORDER_MS_MAX; ) {
      await pause(200 + Math.random() * 200);
      const answer = await fetch(`${this.#url()}${order.path}/${id}`, {
        headers: this.#headers({ ...order, isKeyed: false }),
        signal: AbortSignal.timeout(20_000),
      }).catch(() => null);
      const body = answer?.status === 200 ? await answer.json().catch(() => null) : null;
      const task = taskBody.safeParse(body);
      if (!task.success || !terminal.has(task.data.status)) continue;
      this.#see(task.data.content?.video_url);
      return outcome(task.data.status === "succeeded" ? "whole" : "failed", null);
    }
    return outcome("cut");
  }

  #see(url: string | undefined): void {
    const { videos } = this.seen;
    if (url !== undefined && videos.push(url) > VIDEOS_SEEN) videos.shift();
  }

  async run(isStopped: () => boolean): Promise<void> {
    const { nextOrder, book, random, pauseMs = PAUSE_MS_MAX } = this.options;
    while (!isStopped()) {
      const order = nextOrder();
      const { id, sha, family, isKeyed, price } = order;
      book.note({ line: "order", id, sha, family, isKeyed, price });
      for (let attempt = 0; attempt < (isKeyed ? ATTEMPTS : 1); attempt++) {
        const { what, ref, isPassing } = await this.#send(order);
        book.note({ line: "told", id, what, ref });
        if (what === "whole") this.seen.whole++;
        else if (what !== "left") this.seen.failed++;
        if (!isPassing || isStopped()) break;
        await pause(random.between(100, 1000));
      }
      await pause(random.between(0, pauseMs));
    }
  }
}

export function startClients(options: ClientsOptions): Clients {
  let isStopped = false;
  const seen: Clients["seen"] = { failed: 0, whole: 0, videos: [] };
  const all = Array.from({ length: options.count }, () =>
    new Client(options, seen).run(() => isStopped),
  );
  return {
    seen,
    stop: async () => {
      isStopped = true;
      await Promise.all(all);
    },
  };
}
