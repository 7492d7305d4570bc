/**
 * The book of a run, in a file: what was ordered, what clients were told, what the upstream
 * reported, and which faults were injected. The ledger is compared with the file, never with what
 * this process remembers.
 */
import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "zod";

const order = z.object({
  line: z.literal("order"),
  id: z.int(),
  /** The first characters of the body's SHA-256, which the operation stores. */
  sha: z.string().length(16),
  family: z.enum(["text", "image", "video"]),
  /** It has an idempotency key, and may be sent more than once. */
  isKeyed: z.boolean(),
  /** What an image of this size must cost; 0 where the upstream's report decides. */
  price: z.int(),
});
/**
 * `whole`: a complete answer. `refused`: a complete error. `failed`: a video that ended without a
 * result. `cut`: the connection ended first. `left`: the client went away.
 */
const told = z.object({
  line: z.literal("told"),
  id: z.int(),
  what: z.enum(["whole", "refused", "failed", "cut", "left"]),
  /** The upstream's own id, where the answer carries it; else an error's code. */
  ref: z.string().nullable(),
});
const sent = z.object({ line: z.literal("sent"), id: z.int() });
const made = z.object({
  line: z.literal("made"),
  ref: z.string(),
  id: z.int(),
  /** What the reported usage costs, in micropoints. 0: nothing that may be charged. */
  price: z.int(),
});
const fault = z.object({
  line: z.literal("fault"),
  name: z.string(),
  second: z.int(),
  kills: z.int(),
  stops: z.int(),
});
const anyLine = z.discriminatedUnion("line", [order, told, sent, made, fault]);
export type BookLine = z.infer<typeof anyLine>;
export type Told = z.infer<typeof told>["what"];

export interface BookedOrder {
  readonly id: number;
  readonly family: "text" | "image" | "video";
  readonly isKeyed: boolean;
  readonly price: number;
  whole: number;
  /** The database is known to have lost what was done for it, once. */
  isLost: boolean;
  /** The upstream's ids in complete answers. */
  readonly refs: Set<string>;
  /** The code of the complete error that its last try was answered with. */
  refused: string | null;
  failed: number;
  /** How often it reached the upstream as a new task. */
  sent: number;
}

export class Book {
  readonly orders = new Map<number, BookedOrder>();
  readonly bySha = new Map<string, BookedOrder>();
  readonly made = new Map<string, { readonly id: number; readonly price: number }>();
  readonly madeOf = new Map<number, number>();
  readonly faults = new Map<string, number>();
  readonly told = new Map<Told, number>();
  kills = 0;
  stops = 0;

  add(line: BookLine): void {
    switch (line.line) {
      case "order": {
        const { id, family, isKeyed, price, sha } = line;
        const counts = { whole: 0, refs: new Set<string>(), refused: null, failed: 0, sent: 0 };
        const booked: BookedOrder = { id, family, isKeyed, price, isLost: false, ...counts };
        if (this.bySha.has(sha)) throw new Error(`two orders have the digest ${sha}`);
        this.orders.set(id, booked);
        this.bySha.set(sha, booked);
        break;
      }
      case "told":
        this.#tell(line);
        break;
      case "sent": {
        const booked = this.orders.get(line.id);
        if (booked) booked.sent++;
        break;
      }
      case "made":
        this.made.set(line.ref, line);
        this.madeOf.set(line.id, (this.madeOf.get(line.id) ?? 0) + 1);
        break;
      case "fault":
        this.faults.set(line.name, (this.faults.get(line.name) ?? 0) + 1);
        this.kills += line.kills;
        this.stops += line.stops;
    }
  }

  #tell({ id, what, ref }: z.infer<typeof told>): void {
    this.told.set(what, (this.told.get(what) ?? 0) + 1);
    const booked = this.orders.get(id);
    if (booked === undefined) return;
    booked.refused = what === "refused" ? (ref ?? "without a code") : null;
    if (what === "failed") booked.failed++;
    if (what !== "whole") return;
    booked.whole++;
    if (ref !== null) booked.refs.add(ref);
  }
}

/** Reads a whole book. A last line that was cut off is left out. */
export async function readBook(file: string): Promise<Book> {
  const book = new Book();
  for await (const text of createInterface({ input: createReadStream(file) }))
    if (text.endsWith("}")) book.add(anyLine.parse(JSON.parse(text)));
  return book;
}

export interface Writing {
  /** Once the book is closed, nothing is noted any more. */
  note(line: BookLine): void;
  close(): void;
}

/** Begins a book. A line is in the file before `note` returns. */
export function writeBook(file: string): Writing {
  const descriptor = openSync(file, "ax", 0o600);
  let isClosed = false;
  return {
    note(line) {
      if (!isClosed) writeSync(descriptor, `${JSON.stringify(line)}\n`);
    },
    close() {
      isClosed = true;
      closeSync(descriptor);
    },
  };
}
