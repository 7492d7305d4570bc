import type { KeyEntry } from "./key-entry";

const UNKNOWN_MAX = 10_000;
const ENTRIES_MAX = 100_000;

export type ReadKeys = (hashes: string[]) => Promise<Map<string, KeyEntry>>;

/** The keys in use by the hash of the whole key, the hashes nobody has, and the last uses not yet written down. */
export class KeyCache {
  readonly #read: ReadKeys;
  readonly #entries = new Map<string, KeyEntry>();
  readonly #hashById = new Map<string, string>();
  readonly #unknown = new Set<string>();
  readonly #lookups = new Map<string, Promise<KeyEntry | null>>();
  readonly #uses = new Map<string, number>();
  #changes = 0;

  constructor(read: ReadKeys) {
    this.#read = read;
  }

  get(hash: string): KeyEntry | undefined {
    return this.#entries.get(hash);
  }

  isUnknown(hash: string): boolean {
    return this.#unknown.has(hash);
  }

  get lookupsRunning(): number {
    return this.#lookups.size;
  }

  /** Reads one key; those who ask for the same key meanwhile share the query. */
  lookUp(hash: string): Promise<KeyEntry | null> {
    let lookup = this.#lookups.get(hash);
    if (lookup === undefined) {
      const own: Promise<KeyEntry | null> = this.#lookUp(hash).finally(() => {
        if (this.#lookups.get(hash) === own) this.#lookups.delete(hash);
      });
      lookup = own;
      this.#lookups.set(hash, own);
    }
    return lookup;
  }

  async #lookUp(hash: string): Promise<KeyEntry | null> {
    const changesBefore = this.#changes;
    const entry = (await this.#read([hash])).get(hash) ?? null;
    // What was read before a change told of meanwhile is good for this request only.
    if (this.#changes !== changesBefore) return entry;
    if (entry === null) {
      if (this.#unknown.size >= UNKNOWN_MAX) this.#unknown.clear();
      this.#unknown.add(hash);
    } else if (this.#entries.size < ENTRIES_MAX) {
      this.#entries.set(hash, entry);
      this.#hashById.set(entry.identity.apiKeyId, hash);
    }
    return entry;
  }

  /** Keeps the use of a key that was read but could not be kept itself. */
  keepUse(hash: string, entry: KeyEntry): void {
    if (this.#entries.get(hash) !== entry) this.#uses.set(entry.identity.apiKeyId, entry.usedAt);
  }

  #drop(hash: string, entry: KeyEntry): void {
    if (entry.usedAt > entry.flushedAt) this.#uses.set(entry.identity.apiKeyId, entry.usedAt);
    this.#entries.delete(hash);
    this.#hashById.delete(entry.identity.apiKeyId);
  }

  forgetKey(apiKeyId: string): void {
    this.#changes++;
    this.#lookups.clear();
    this.#unknown.clear();
    const hash = this.#hashById.get(apiKeyId);
    const entry = hash === undefined ? undefined : this.#entries.get(hash);
    if (hash !== undefined && entry !== undefined) this.#drop(hash, entry);
  }

  forgetAccount(accountId: string): void {
    this.#changes++;
    this.#lookups.clear();
    for (const [hash, entry] of this.#entries) if (entry.identity.accountId === accountId) this.#drop(hash, entry);
  }

  /** Reads the keys used since the last call anew and forgets the others; when that fails, all stay as they were. */
  async refresh(): Promise<void> {
    this.#unknown.clear();
    const before = new Map<string, KeyEntry>();
    for (const [hash, entry] of this.#entries) {
      if (entry.isUsedSinceTick) before.set(hash, entry);
      else this.#drop(hash, entry);
      entry.isUsedSinceTick = false;
    }
    if (before.size === 0) return;
    const after = await this.#read([...before.keys()]);
    for (const [hash, old] of before) {
      if (this.#entries.get(hash) !== old) continue;
      const fresh = after.get(hash);
      if (fresh === undefined) this.#drop(hash, old);
      else
        this.#entries.set(
          hash,
          Object.assign(fresh, { usedAt: old.usedAt, flushedAt: old.flushedAt, isUsedSinceTick: old.isUsedSinceTick }),
        );
    }
  }

  /** Hands the last uses (key id → epoch milliseconds) to `write`; those of a failed write are kept for the next. */
  async flush(write: (uses: ReadonlyMap<string, number>) => Promise<void>): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (entry.usedAt <= entry.flushedAt) continue;
      this.#uses.set(entry.identity.apiKeyId, entry.usedAt);
      entry.flushedAt = entry.usedAt;
    }
    if (this.#uses.size === 0) return;
    const batch = new Map(this.#uses);
    await write(batch);
    for (const [id, at] of batch) if (this.#uses.get(id) === at) this.#uses.delete(id);
  }
}
