/** The orders that clients of a run make: random, each with a body that no other order has. */
import { createHash } from "node:crypto";
import type { Random } from "./random";

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

function textDraft(random: Random, isStream: boolean, mark: string): Draft {
  const content = `${mark} ${hostilityOf(random)}`;
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

const kinds = [
  ["text", 30],
  ["stream", 30],
  ["slow", 4],
  ["image", 9],
  ["waiting", 5],
  ["task", 9],
] as const;
/** Of a hundred orders, how many are retried with a key, and how many clients leave. */
const KEYED = 20;
const LEAVING = 12;

/** The orders of a run, one after another. */
export function createOrders(random: Random, run: string): () => Order {
  let last = 0;
  return () => {
    const id = ++last;
    const mark = `order ${id} of ${run}`;
    const kind = random.pick(kinds);
    const isKeyed = kind !== "slow" && random.between(1, 100) <= KEYED;
    const leaves = !isKeyed && random.between(1, 100) <= LEAVING;
    const { body, price = 0, ...rest } = draftOf(kind, random, mark);
    const text = JSON.stringify(body);
    const sha = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const conduct = leaves ? "leaves" : kind === "slow" ? "reads slowly" : "waits";
    return { id, ...rest, body: text, sha, isTask: kind === "task", isKeyed, conduct, price };
  };
}

function draftOf(kind: (typeof kinds)[number][0], random: Random, mark: string): Draft {
  switch (kind) {
    case "text":
      return textDraft(random, false, mark);
    case "stream":
      return textDraft(random, true, mark);
    case "slow": {
      const { body, ...rest } = textDraft(random, true, mark);
      const messages = [{ role: "user", content: `${mark} long` }];
      return { ...rest, body: { ...body, messages } };
    }
    case "image":
      return imageDraft(random, mark);
    case "waiting":
      return waitingDraft(mark);
    case "task":
      return taskDraft(mark);
  }
}
