import { RelayError } from "../failures/relay-error";
import { FairQueue } from "../limits/fair-queue";

/** How many queries keys that are not cached may run at once, however many are waiting. */
const QUERIES_MAX = 2;
const HASHES_PER_QUERY_MAX = 256;
const WAITING_MAX = 4096;
const WAITING_PER_ADDRESS_MAX = 256;

export type ReadKeys<Entry> = (hashes: string[]) => Promise<Map<string, Entry>>;

interface Waiting<Entry> {
  readonly hash: string;
  resolve(entry: Entry | null): void;
  reject(error: unknown): void;
}

/** Reads keys that are not cached: many per query, and addresses in turn. */
export class KeyLookups<Entry> {
  readonly #queue = new FairQueue<Waiting<Entry>>(WAITING_MAX, WAITING_PER_ADDRESS_MAX);
  #running = 0;

  constructor(private readonly read: ReadKeys<Entry>) {}

  /**
   * Null when there is no such key. Rejects with `service_busy` when the address has too many
   * look-ups waiting, or as `read` does.
   */
  lookUp(hash: string, addressGroup: string): Promise<Entry | null> {
    return new Promise((resolve, reject) => {
      if (!this.#queue.push(addressGroup, { hash, resolve, reject }))
        throw new RelayError("service_busy", { retryAfterSeconds: 1 });
      if (this.#running < QUERIES_MAX) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    this.#running++;
    while (this.#queue.size > 0) {
      const batch: Waiting<Entry>[] = [];
      while (batch.length < HASHES_PER_QUERY_MAX) {
        const next = this.#queue.take();
        if (next === undefined) break;
        batch.push(next);
      }
      try {
        const found = await this.read(batch.map(({ hash }) => hash));
        for (const { hash, resolve } of batch) resolve(found.get(hash) ?? null);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running--;
  }
}
