/**
 * A worker's side of the limits that the primary process counts for all workers: it admits by
 * itself what it has borrowed, asks for the rest, and reports what it used. A request waits for the
 * primary only when nothing is borrowed.
 */
import { RelayError } from "../failures/relay-error";
import { type Ask, type Grant, type Report, sharedClock } from "./leased-counts";
import { type Window, type WindowCount, type Windows, whenCounted } from "./windows";

export interface LeasedMessage {
  readonly reports: readonly Report[];
  readonly asks: readonly Ask[];
  /** Windows of which everything was returned. */
  readonly recalled: readonly string[];
}

/** Uses are reported this long after the first one. */
const REPORT_MS = 50;
/** What was not used for this long is returned. */
const IDLE_MS = 1000;
/** A full window is asked about again after this time: another worker may have given back. */
const ASK_AGAIN_MS = 100;
/** The longest that a request waits for the primary. */
const PATIENCE_MS = 2000;

interface WaitingTake {
  readonly resolve: (count: WindowCount) => void;
  readonly reject: (error: Error) => void;
}

/** What this worker knows about one window. */
class Borrowed {
  credit = 0;
  lastLoan = 0;
  usedAt: number[] = [];
  returned = 0;
  undone = 0;
  waiting: WaitingTake[] = [];
  asking: "no" | "soon" | "sent" = "no";
  /** How many of the waiting requests are asked for. */
  asked = 0;
  askTimer: NodeJS.Timeout | undefined;
  fullUntil = 0;
  askAgainAt = 0;
  used = 0;
  oldestLeavesAt = 0;
  touchedAt = 0;

  constructor(public window: Window) {}

  get isDirty(): boolean {
    return this.usedAt.length > 0 || this.returned > 0 || this.undone > 0;
  }

  admit(now: number): WindowCount {
    this.credit--;
    this.used++;
    this.usedAt.push(now);
    return this.counted(now, this.used);
  }

  counted(now: number, used: number): WindowCount {
    const { limit, windowMs } = this.window;
    const left = this.oldestLeavesAt - now;
    return {
      waitMs: 0,
      used: Math.min(limit, used),
      oldestLeavesMs: left > 0 ? left : windowMs,
    };
  }

  full(now: number): WindowCount {
    const waitMs = Math.max(1, this.fullUntil - now);
    return { waitMs, used: this.window.limit, oldestLeavesMs: waitMs };
  }

  returnAll(): void {
    this.returned += this.credit;
    this.credit = 0;
  }

  takeReport(): Report {
    const { usedAt, returned, undone } = this;
    this.usedAt = [];
    this.returned = 0;
    this.undone = 0;
    return { name: this.window.name, usedAt, returned, undone };
  }
}

const nothing: WindowCount = { waitMs: 0, used: 0, oldestLeavesMs: 0 };

const unanswered = () =>
  new RelayError("service_busy", { retryAfterSeconds: 1, internal: "the primary does not answer" });

export class LeasedWindows implements Windows {
  readonly #borrowed = new Map<string, Borrowed>();
  /** Those that the next message is about. */
  readonly #untold = new Set<Borrowed>();
  #reportTimer: NodeJS.Timeout | undefined;
  #isSending = false;
  readonly #idleTimer: NodeJS.Timeout;

  constructor(
    readonly send: (message: LeasedMessage) => void,
    readonly clock: () => number = sharedClock,
  ) {
    this.#idleTimer = setInterval(() => this.#returnIdle(), IDLE_MS);
    this.#idleTimer.unref();
  }

  /** Rejects with `service_busy` when the primary does not answer. */
  take(windows: readonly Window[]): WindowCount | Promise<WindowCount> {
    return this.#takeFrom(windows, 0, nothing);
  }

  /** Where one is full, the windows before it are uncounted again. */
  #takeFrom(
    windows: readonly Window[],
    place: number,
    first: WindowCount,
  ): ReturnType<Windows["take"]> {
    const window = windows[place];
    if (window === undefined) return first;
    return whenCounted(this.#takeOne(window), (count) => {
      if (count.waitMs === 0)
        return this.#takeFrom(windows, place + 1, place === 0 ? count : first);
      this.giveBack(windows.slice(0, place));
      return count;
    });
  }

  #takeOne(window: Window): WindowCount | Promise<WindowCount> {
    const now = this.clock();
    const own = this.#of(window, now);
    if (own.waiting.length === 0) {
      if (own.credit > 0) {
        const count = own.admit(now);
        this.#reportSoon(own);
        if (own.credit <= own.lastLoan >> 2) this.#askSoon(own);
        return count;
      }
      if (now < own.askAgainAt) return own.full(now);
    }
    return new Promise((resolve, reject) => {
      own.waiting.push({ resolve, reject });
      this.#askSoon(own);
    });
  }

  giveBack(windows: readonly Window[]): void {
    for (const { name } of windows) this.#giveOneBack(name);
  }

  #giveOneBack(name: string): void {
    const own = this.#borrowed.get(name);
    if (own === undefined || own.usedAt.length === 0) {
      this.send({
        reports: [{ name, usedAt: [], returned: 0, undone: 1 }],
        asks: [],
        recalled: [],
      });
      return;
    }
    own.usedAt.pop();
    own.credit++;
    own.used--;
  }

  granted(grants: readonly Grant[]): void {
    const now = this.clock();
    for (const grant of grants) {
      const own = this.#borrowed.get(grant.name);
      if (own) this.#take(own, grant, now);
    }
  }

  recall(names: readonly string[]): void {
    for (const name of names) {
      const own = this.#borrowed.get(name);
      if (own) this.#returnAll(own);
    }
    this.#send(names);
  }

  /** Returns everything, and lets nobody wait. */
  close(): void {
    clearInterval(this.#idleTimer);
    clearTimeout(this.#reportTimer);
    for (const own of this.#borrowed.values()) {
      clearTimeout(own.askTimer);
      this.#returnAll(own);
      for (const { reject } of own.waiting.splice(0)) reject(unanswered());
    }
    this.#send([]);
    this.#borrowed.clear();
  }

  #of(window: Window, now: number): Borrowed {
    let own = this.#borrowed.get(window.name);
    if (!own) {
      own = new Borrowed(window);
      this.#borrowed.set(window.name, own);
    }
    if (own.window.limit !== window.limit) {
      own.window = window;
      own.askAgainAt = 0;
      this.#returnAll(own);
    }
    own.touchedAt = now;
    return own;
  }

  #returnAll(own: Borrowed): void {
    own.returnAll();
    if (own.isDirty) this.#untold.add(own);
  }

  #take(own: Borrowed, grant: Grant, now: number): void {
    clearTimeout(own.askTimer);
    const asked = own.waiting.splice(0, own.asked);
    own.asked = 0;
    own.asking = "no";
    own.credit += grant.lent;
    own.lastLoan = grant.lent;
    own.used = grant.used;
    own.oldestLeavesAt = now + grant.oldestLeavesMs;
    own.fullUntil = now + grant.waitMs;
    own.askAgainAt = now + Math.min(grant.waitMs, ASK_AGAIN_MS);
    // Requests whose patience ended are not sent.
    own.undone += Math.max(0, grant.admitted - asked.length);
    for (const [place, { resolve }] of asked.entries()) {
      const isAdmitted = place < grant.admitted;
      const used = grant.used - grant.admitted + place + 1;
      resolve(isAdmitted ? own.counted(now, used) : own.full(now));
    }
    while (own.waiting.length > 0 && own.credit > 0) own.waiting.shift()?.resolve(own.admit(now));
    if (own.waiting.length > 0) this.#askSoon(own);
    if (own.isDirty) this.#reportSoon(own);
  }

  #askSoon(own: Borrowed): void {
    if (own.asking !== "no") return;
    own.asking = "soon";
    this.#untold.add(own);
    own.askTimer = setTimeout(() => this.#giveUp(own), PATIENCE_MS);
    if (this.#isSending) return;
    this.#isSending = true;
    // What one turn of the loop asks for goes in one message.
    setImmediate(() => {
      this.#isSending = false;
      this.#send([]);
    });
  }

  #giveUp(own: Borrowed): void {
    for (const { reject } of own.waiting.splice(0, own.asked)) reject(unanswered());
    own.asked = 0;
    own.asking = "no";
    if (own.waiting.length > 0) this.#askSoon(own);
  }

  #reportSoon(own: Borrowed): void {
    this.#untold.add(own);
    this.#reportTimer ??= setTimeout(() => this.#send([]), REPORT_MS).unref();
  }

  #send(recalled: readonly string[]): void {
    clearTimeout(this.#reportTimer);
    this.#reportTimer = undefined;
    const reports: Report[] = [];
    const asks: Ask[] = [];
    for (const own of this.#untold) {
      if (own.isDirty) reports.push(own.takeReport());
      if (own.asking !== "soon") continue;
      own.asking = "sent";
      own.asked = own.waiting.length;
      asks.push({ ...own.window, waiting: own.waiting.length });
    }
    this.#untold.clear();
    if (reports.length + asks.length + recalled.length > 0) this.send({ reports, asks, recalled });
  }

  #returnIdle(): void {
    const now = this.clock();
    for (const [name, own] of this.#borrowed) {
      if (now - own.touchedAt < IDLE_MS) continue;
      this.#returnAll(own);
      if (own.asking === "no") this.#borrowed.delete(name);
    }
    this.#send([]);
  }
}
