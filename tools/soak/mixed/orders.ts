/** The orders that clients of a run make: random, each with a body that no other order has. */
import { createHash } from "node:crypto";
import type { Random } from "@/testing/extent/random";

/** What the client does with the answer. */
type Conduct = "waits" | "reads slowly" | "leaves";

export interface Order {
  readonly id: number;
  readonly family: "text" | "image" | "video";
  readonly path: string;
  readonly body: string;
  readonly sha: string;
  readonly isStream: boolean;
  /** The answer is a task, which is asked for until it ends. */
  readonly isTask: boolean;
  readonly isKeyed: boolean;
  readonly conduct: Conduct;
  readonly price: number;
}

const CHAT = "/v1/chat/completions";
const TASKS = "/v1/contents/generations/tasks";
/** One in this many text orders meets a hostile answer that makes its channel rest. */
const TROUBLE_EVERY = 250;
/** One in this many meets any other hostile answer. */
const HOSTILE_EVERY = 15;
const IMAGE_POINTS_PER_MILLION = 1220;
const sizes = [
  [512, 512],
  [1024, 768],
  [768, 1280],
  [2048, 2048],
] as const;

/** Hostile answers that the upstream gives to an order that names them. */
const hostileKinds = ["broken", "cut", "no-usage", "negative", "text", "twice", "html"] as const;
const troubleKinds = ["status-500", "status-429", "reset"] as const;

function hostilityOf(random: Random): string {
  if (random.between(1, TROUBLE_EVERY) === 1)
    return random.pick(troubleKinds.map((kind) => [kind, 1]));
  if (random.between(1, HOSTILE_EVERY) === 1)
    return random.pick(hostileKinds.map((kind) => [kind, 1]));
  return "good";
}

type Draft = Pick<Order, "family" | "path" | "isStream"> & {
  readonly body: object;
  readonly price?: number;
};

function textDraft(content: string, isStream: boolean): Draft {
  const messages = [{ role: "user", content }];
  const body = { model: "RelayV1", messages, max_tokens: 100, stream: isStream };
  return { family: "text", path: CHAT, isStream, body };
}

function imageDraft(random: Random, mark: string): Draft {
  const [width, height] = random.pick(sizes.map((size) => [size, 1]));
  const body = { model: "Super-Relay-Image", prompt: mark, size: `${width}x${height}` };
  const price = ((width * height) / 256) * IMAGE_POINTS_PER_MILLION;
  return { family: "image", path: "/v1/images/generations", isStream: false, body, price };
}

/** An order that nobody waits for. */
const laterDraft = (draft: Draft): Draft => ({ ...draft, body: { ...draft.body, async: true } });

const waitingDraft = (mark: string): Draft => ({
  family: "video",
  path: "/v1/videos/generations",
  isStream: false,
  body: { model: "Super-Relay1.5", prompt: mark, resolution: "480p" },
});
const taskDraft = (mark: string): Draft => ({
  family: "video",
  path: TASKS,
  isStream: false,
  body: { model: "Super-Relay1.5", content: [{ type: "text", text: `${mark} --rs 480p --dur 5` }] },
});

type Kind = "text" | "stream" | "slow" | "image" | "imageTask" | "waiting" | "task";

/** What is ordered, by weight, and of a hundred orders how many are retried with a key or left. */
export interface OrderPlan {
  readonly kinds: readonly (readonly [kind: Kind, weight: number])[];
  readonly keyed: number;
  readonly leaving: number;
  /** Whether some texts meet hostile answers. */
  readonly isHostile: boolean;
}

const words = [["text", 30] as const, ["stream", 30] as const];
const videos = [["waiting", 5] as const, ["task", 9] as const, ["imageTask", 4] as const];
const pictures = ["image", 9] as const;
const others = [["slow", 4] as const, pictures];
const everything = [...words, ...videos, ...others];
const usual = { keyed: 20, leaving: 12, isHostile: true };
export const plans = {
  everything: { ...usual, kinds: everything },
  text: { ...usual, kinds: words },
  /** Of the images some are waited for, the others are tasks. */
  video: { ...usual, kinds: [...videos, ["imageTask", 5], ["image", 3]] },
  /** What every release since 0.2.0 knows: no image as a task. */
  lasting: { ...usual, kinds: [...words, ...videos.slice(0, 2), ...others], isHostile: false },
  /** Each is answered well, to a client that waits. */
  "good text": { kinds: words, keyed: 0, leaving: 0, isHostile: false },
} satisfies Record<string, OrderPlan>;

/** The orders of a run, one after another. */
export function createOrders(random: Random, run: string, plan: OrderPlan): () => Order {
  let last = 0;
  return () => {
    const id = ++last;
    const mark = `order ${id} of ${run}`;
    const kind = random.pick(plan.kinds);
    const isKeyed = kind !== "slow" && random.between(1, 100) <= plan.keyed;
    const leaves = !isKeyed && random.between(1, 100) <= plan.leaving;
    const manner = plan.isHostile ? hostilityOf(random) : "good";
    const { body, price = 0, ...rest } = draftOf(kind, random, mark, manner);
    const text = JSON.stringify(body);
    const sha = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const isTask = kind === "task" || kind === "imageTask";
    const conduct = leaves ? "leaves" : kind === "slow" ? "reads slowly" : "waits";
    return { id, ...rest, body: text, sha, isTask, isKeyed, conduct, price };
  };
}

function draftOf(kind: Kind, random: Random, mark: string, manner: string): Draft {
  switch (kind) {
    case "text":
    case "stream":
      return textDraft(`${mark} ${manner}`, kind === "stream");
    case "slow":
      return textDraft(`${mark} long`, true);
    case "image":
      return imageDraft(random, mark);
    case "imageTask":
      return laterDraft(imageDraft(random, mark));
    case "waiting":
      return waitingDraft(mark);
    case "task":
      return taskDraft(mark);
  }
}
