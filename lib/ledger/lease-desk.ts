/**
 * Opens holds against the points leases of this process: its book decides, the log keeps what a
 * kill must not forget, and one connection takes leases, gives them back and writes long holds.
 */
import type pg from "pg";
import { isValueRefused } from "../db/database-errors";
import { pause } from "../pause";
import type { Micropoints } from "../points";
import { askNumbered } from "./ask-numbered";
import { HoldLog, type LogFile } from "./hold-log";
import type { LeaseAct, LeasedEnd, MemoryHold } from "./lease-acts";
import { LeaseBook } from "./lease-book";
import { actText, memoryText, readActAnswer, wholeText, writtenText } from "./lease-text";
import type { HoldRequest, HoldResult } from "./verbs";

/** How often leases are looked at. */
const TICK_MS = 20;
const RETRY_MS = 200;
const WRITTEN_MAX = 256;
/** Of the time for which this process is known to be alive: later it promises nothing. */
const TRUSTED_PART = 0.8;

const change =
  "select ledger_apply_leased($1, $2, null, null, null, $3, $4) as answer, $5::int as number";
const ownLeases = `select coalesce(json_agg(json_build_object('account', l.account_id, 'act', l.act::text, 'isWanted',
         a.status <> 'active' or coalesce(w.leases_from > clock_timestamp(), false))), '[]')::text as answer, $2::int as number
    from points_lease l join wallet w using (account_id) join account a on a.id = l.account_id where l.node_id = $1`;

interface LeaseRow {
  readonly account: string;
  readonly act: string;
  readonly isWanted: boolean;
}

interface Kept {
  readonly text: string;
  readonly openedAt: number;
  file: LogFile | null;
}

/** Opened, and not yet in the log: nobody was told of it. */
interface Fresh {
  readonly id: string;
  readonly text: string;
  readonly amount: Micropoints;
  readonly resolve: (result: HoldResult) => void;
  readonly refuse: () => void;
}

/** The end of a hold in memory: it is written together with the hold. */
export interface WholeEnd {
  readonly text: (end: string) => string;
  readonly ended: (how: LeasedEnd, charged: Micropoints) => void;
  readonly left: (isOnDisk: boolean) => void;
}

interface DeskOptions {
  readonly pool: pg.Pool;
  readonly nodeId: string;
  readonly folder: string;
  readonly leaseSeconds: number;
  readonly log: (event: string, detail: unknown) => void;
}

export class LeaseDesk {
  readonly book = new LeaseBook();
  readonly #options: DeskOptions;
  readonly #log: HoldLog;
  readonly #kept = new Map<string, Kept>();
  #fresh: Fresh[] = [];
  #strays: LeaseAct[] = [];
  #renewedAt = performance.now();
  readonly #ticker: NodeJS.Timeout;
  #working: Promise<void> | null = null;
  #isClosing = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#log = new HoldLog(options.folder, options.nodeId);
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#ticker.unref();
  }

  /**
   * Opens the hold in memory, and tells so when it is in the log. False: it must be asked of the
   * database, as `refuse` does when the log cannot be written.
   */
  open(request: HoldRequest, resolve: (result: HoldResult) => void, refuse: () => void): boolean {
    const now = performance.now();
    const { operationId: id, accountId, apiKeyId, holdAmount } = request;
    if (!request.mayLease || this.#isClosing || !this.#isTrusted(now)) return false;
    const hold = this.book.open(id, accountId, apiKeyId, holdAmount, now);
    if (!hold) return false;
    const text = memoryText(request, this.#options.nodeId);
    this.#kept.set(id, { text, openedAt: now, file: null });
    if (this.#fresh.length === 0) setImmediate(() => this.#writeLog());
    this.#fresh.push({ id, amount: holdAmount, text, resolve, refuse });
    return true;
  }

  /** Null: the hold is not in memory, so its end is that of any other. */
  end(id: string): WholeEnd | null {
    const kept = this.#kept.get(id);
    if (!kept || !this.book.ending(id)) return null;
    const over = () => this.#forget(id, kept);
    const ageMs = performance.now() - kept.openedAt;
    return {
      text: (end) => wholeText(kept.text, ageMs, end),
      ended: (how, charged) => {
        this.book.ended(id, how, charged);
        over();
      },
      left: (isOnDisk) => {
        this.book.spooled(id, isOnDisk);
        over();
      },
    };
  }

  recall(account: string): void {
    this.book.recall(account, performance.now());
    this.#tick();
  }

  /**
   * After each renewal of this process's lease as a node, which began at `renewedAt`. Compares the
   * book with the database.
   */
  async beat(renewedAt: number, hasSpooled: () => boolean): Promise<void> {
    this.#renewedAt = renewedAt;
    this.#log.check();
    if (!hasSpooled()) this.book.replayed();
    const marks = this.book.marks();
    const { pool, nodeId } = this.#options;
    const rows: LeaseRow[] = JSON.parse(await askNumbered(pool, ownLeases, [nodeId]));
    const now = performance.now();
    const acts = new Map(rows.map(({ account, act }) => [account, Number(act)]));
    this.#strays.push(...this.book.compare(marks, acts, now));
    for (const { account, isWanted } of rows) if (isWanted) this.book.recall(account, now);
  }

  /** Gives all leases back, or as many as `patienceMs` allows. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosing = true;
    for (
      const until = performance.now() + patienceMs;
      this.book.size > 0 && performance.now() < until;
    ) {
      this.book.recallAll(performance.now());
      this.#tick();
      await pause(TICK_MS);
    }
    clearInterval(this.#ticker);
    await this.#working;
    this.#log.close(this.#kept.size === 0);
  }

  /** Whether holds are left that only the log knows. */
  get hasHolds(): boolean {
    return this.#kept.size > 0;
  }

  #isTrusted(now: number): boolean {
    return now - this.#renewedAt < TRUSTED_PART * this.#options.leaseSeconds * 1000;
  }

  #writeLog(): void {
    const fresh = this.#fresh;
    if (fresh.length === 0) return;
    this.#fresh = [];
    const file = this.#logged(fresh);
    for (const { id, amount, resolve, refuse } of fresh) {
      const kept = this.#kept.get(id);
      if (file && kept) {
        kept.file = file;
        resolve({ result: "held", amount });
      } else {
        this.#kept.delete(id);
        this.book.cancel(id);
        refuse();
      }
    }
  }

  #logged(fresh: readonly Fresh[]): LogFile | null {
    const opened = Date.now();
    try {
      return this.#log.append(fresh.map(({ text }) => `{${text},"opened":${opened}}`));
    } catch (error) {
      this.#options.log("ledger_hold_log_failed", error);
      return null;
    }
  }

  #forget(id: string, kept: Kept): void {
    this.#kept.delete(id);
    if (kept.file) this.#log.ended(kept.file);
  }

  #tick(): void {
    if (this.#working) return;
    // So that each hold in the book is one that somebody was told of.
    this.#writeLog();
    const now = performance.now();
    const acts = this.#strays.concat(this.book.acts(now));
    this.#strays = [];
    const holds = this.book.holdsToWrite(now);
    if (acts.length === 0 && holds.length === 0) return;
    this.#working = this.#send(acts, holds).finally(() => {
      this.#working = null;
    });
  }

  /** Sends until it is answered: what has no answer may have been done. */
  async #send(acts: readonly LeaseAct[], holds: readonly MemoryHold[]): Promise<void> {
    for (let at = 0; at === 0 || at < holds.length; at += WRITTEN_MAX) {
      const piece = holds.slice(at, at + WRITTEN_MAX);
      const now = performance.now();
      const texts = piece.map(({ id }) => {
        const kept = this.#kept.get(id);
        return kept ? writtenText(kept.text, now - kept.openedAt) : null;
      });
      const known = piece.filter((_, i) => texts[i] !== null);
      await this.#sendPiece(
        at === 0 ? acts : [],
        known,
        texts.filter((text) => text !== null),
      );
    }
  }

  async #sendPiece(
    acts: readonly LeaseAct[],
    holds: readonly MemoryHold[],
    texts: readonly string[],
  ): Promise<void> {
    const { pool, nodeId, log } = this.#options;
    const accounts = new Set([...acts, ...holds].map(({ account }) => account));
    const values = [nodeId, [...accounts], listText(texts), listText(acts.map(actText))];
    while (!this.#isGivenUp()) {
      try {
        return this.#answered(acts, holds, await askNumbered(pool, change, values));
      } catch (error) {
        log("ledger_lease_unanswered", error);
        if (isValueRefused(error)) return this.#sendSingly(acts, holds, texts);
        await pause(RETRY_MS);
      }
    }
  }

  /** One of them is refused, and would be again: it must not keep the others waiting. */
  async #sendSingly(
    acts: readonly LeaseAct[],
    holds: readonly MemoryHold[],
    texts: readonly string[],
  ): Promise<void> {
    if (acts.length + holds.length > 1) {
      for (const act of acts) await this.#sendPiece([act], [], []);
      for (const [i, hold] of holds.entries())
        await this.#sendPiece([], [hold], texts.slice(i, i + 1));
      return;
    }
    for (const { account } of acts) this.book.gone(account, performance.now());
    for (const { id } of holds) this.book.written(id, false);
  }

  #isGivenUp(): boolean {
    return this.#isClosing && !this.#isTrusted(performance.now());
  }

  #answered(acts: readonly LeaseAct[], holds: readonly MemoryHold[], answer: string): void {
    const now = performance.now();
    const [, , , written = "", acted = ""] = answer.split(";");
    const done = written.split(",");
    for (const [i, { id }] of holds.entries()) {
      this.book.written(id, done[i] === "w");
      const kept = this.#kept.get(id);
      if (kept && !this.book.has(id)) this.#forget(id, kept);
    }
    const answers = acted.split(",");
    for (const [i, act] of acts.entries()) {
      const read = readActAnswer(answers[i] ?? "");
      if (read) this.book.acted(act, read.granted, read.limitedKeys, now);
      else this.book.gone(act.account, now);
    }
  }
}

const listText = (texts: readonly string[]): string | null =>
  texts.length === 0 ? null : `[${texts.map((text, i) => `{"i":${i},${text}`).join(",")}]`;
