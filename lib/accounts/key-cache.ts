import { isAdmissible, type KeyEntry } from "./key-entry";
import { KeyLookups, type ReadKeys } from "./key-lookups";

const REFUSED_MAX = 10_000;
/** How long a refusal is cached: no longer than a key in use is trusted. */
const REFUSED_MS = 3000;
const ENTRIES_MAX = 100_000;

/** A key that may not be used. `entry` is null when no such key exists. */
interface Refused {
  readonly entry: KeyEntry | null;
  /** Epoch milliseconds. */
  readonly until: number;
}

/**
 * The cache of keys by the hash of the whole key: the keys in use, the keys refused recently, and
 * the last uses that are not written yet. Keys that do not exist are cached in the same way and for
 * the same time as revoked, expired and paused ones, so that the response time does not distinguish
 * them.
 */
export class KeyCache {
  readonly #read: ReadKeys<KeyEntry>;
  readonly #reads: KeyLookups<KeyEntry>;
  readonly #entries = new Map<string, KeyEntry>();
  readonly #refused = new Map<string, Refused>();
  readonly #hashById = new Map<string, string>();
  readonly #lookups = new Map<string, Promise<KeyEntry | null>>();
  readonly #uses = new Map<string, number>();
  #changes = 0;

  constructor(read: ReadKeys<KeyEntry>) {
    this.#read = read;
    this.#reads = new KeyLookups(read);
  }

  get(hash: string): KeyEntry | undefined {
    return this.#entries.get(hash);
  }

  /** A key that was refused recently; `entry` is null when no such key exists. */
  refused(hash: string): Pick<Refused, "entry"> | undefined {
    const refused = this.#refused.get(hash);
    return refused !== undefined && refused.until > Date.now() ? refused : undefined;
  }

  /** Reads one key. Concurrent requests for the same key share the query. */
  lookUp(hash: string, addressGroup: string): Promise<KeyEntry | null> {
    let lookup = this.#lookups.get(hash);
    if (lookup === undefined) {
      const own: Promise<KeyEntry | null> = this.#lookUp(hash, addressGroup).finally(() => {
        if (this.#lookups.get(hash) === own) this.#lookups.delete(hash);
      });
      lookup = own;
      this.#lookups.set(hash, own);
    }
    return lookup;
  }

  async #lookUp(hash: string, addressGroup: string): Promise<KeyEntry | null> {
    const changesBefore = this.#changes;
    const entry = await this.#reads.lookUp(hash, addressGroup);
    // The key changed during the query: the result serves this request only and is not cached.
    if (this.#changes !== changesBefore) return entry;
    if (entry === null || !isAdmissible(entry)) this.#keepRefused(hash, entry);
    else if (this.#entries.size < ENTRIES_MAX) {
      this.#entries.set(hash, entry);
      this.#hashById.set(entry.principal.apiKeyId, hash);
    }
    return entry;
  }

  /** The oldest refusal makes room. */
  #keepRefused(hash: string, entry: KeyEntry | null): void {
    this.#refused.delete(hash);
    if (this.#refused.size >= REFUSED_MAX)
      for (const oldest of this.#refused.keys()) if (this.#refused.delete(oldest)) break;
    this.#refused.set(hash, { entry, until: Date.now() + REFUSED_MS });
  }

  /** Records the use of a key that was read but not cached. */
  keepUse(hash: string, entry: KeyEntry): void {
    if (this.#entries.get(hash) !== entry) this.#uses.set(entry.principal.apiKeyId, entry.usedAt);
  }

  #drop(hash: string, entry: KeyEntry): void {
    if (entry.usedAt > entry.flushedAt) this.#uses.set(entry.principal.apiKeyId, entry.usedAt);
    this.#entries.delete(hash);
    this.#hashById.delete(entry.principal.apiKeyId);
  }

  /** Drops a key, so that its next use reads it again. */
  forget(hash: string): void {
    const entry = this.#entries.get(hash);
    if (entry !== undefined) this.#drop(hash, entry);
    this.#refused.delete(hash);
  }

  forgetKey(apiKeyId: string): void {
    this.#changes++;
    this.#lookups.clear();
    const hash = this.#hashById.get(apiKeyId);
    if (hash !== undefined) this.forget(hash);
    this.#forgetRefused((entry) => entry.principal.apiKeyId === apiKeyId);
  }

  /** Drops the cached refusal of a key that was just created. */
  forgetUnknown(hash: string): void {
    this.#changes++;
    this.#lookups.delete(hash);
    this.#refused.delete(hash);
  }

  forgetAccount(accountId: string): void {
    this.#forgetAll((entry) => entry.principal.accountId === accountId);
  }

  /** Drops the keys of all members of a group. */
  forgetGroup(id: string): void {
    this.#forgetAll(({ groupId }) => groupId === id);
  }

  #forgetAll(isMeant: (entry: KeyEntry) => boolean): void {
    this.#changes++;
    this.#lookups.clear();
    for (const [hash, entry] of this.#entries) if (isMeant(entry)) this.#drop(hash, entry);
    this.#forgetRefused(isMeant);
  }

  #forgetRefused(isMeant: (entry: KeyEntry) => boolean): void {
    for (const [hash, { entry }] of this.#refused)
      if (entry !== null && isMeant(entry)) this.#refused.delete(hash);
  }

  /**
   * Reads the keys used since the last call again and drops the others. If that fails, all stay.
   */
  async refresh(): Promise<void> {
    const now = Date.now();
    for (const [hash, { until }] of this.#refused) if (until <= now) this.#refused.delete(hash);
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
      if (fresh === undefined || !isAdmissible(fresh)) this.#drop(hash, old);
      else
        this.#entries.set(
          hash,
          Object.assign(fresh, {
            usedAt: old.usedAt,
            flushedAt: old.flushedAt,
            isUsedSinceTick: old.isUsedSinceTick,
          }),
        );
    }
  }

  /**
   * Passes the last uses (key id → epoch milliseconds) to `write`. Those of a failed write are kept
   * for the next one.
   */
  async flush(write: (uses: ReadonlyMap<string, number>) => Promise<void>): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (entry.usedAt <= entry.flushedAt) continue;
      this.#uses.set(entry.principal.apiKeyId, entry.usedAt);
      entry.flushedAt = entry.usedAt;
    }
    if (this.#uses.size === 0) return;
    const batch = new Map(this.#uses);
    await write(batch);
    for (const [id, at] of batch) if (this.#uses.get(id) === at) this.#uses.delete(id);
  }
}
