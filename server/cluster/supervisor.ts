/**
 * Keeps a number of workers running: replaces the ones that end, more slowly the more often they
 * do, and ends the ones that hang.
 */
import { pause } from "@/lib/timing/pause";
import type { Ended, Member } from "./member";

export interface Timings {
  /** The wait before a worker that ended early is replaced. It doubles with each time in a row. */
  readonly backoffMs: number;
  readonly backoffMsMax: number;
  /** A worker that lived this long did not end early. */
  readonly provenMs: number;
  /** A worker that has been silent for this long hangs, and is killed. */
  readonly silentMs: number;
  readonly watchMs: number;
  /** How long a rolling restart waits for a worker that leaves before it continues. */
  readonly leaveMs: number;
  /** After this time a stop kills the workers that are left. */
  readonly stopMs: number;
}

const defaultTimings: Timings = {
  backoffMs: 250,
  backoffMsMax: 30_000,
  provenMs: 60_000,
  silentMs: 30_000,
  watchMs: 2000,
  leaveMs: 3000,
  stopMs: 45_000,
};

export interface SupervisorOptions {
  readonly workers: number;
  readonly open: () => Member;
  /** Called when a worker's process is gone. */
  readonly onGone: (member: Member, ended: Ended) => void;
  readonly log: {
    error(fields: object, message: string): void;
    info(fields: object, message: string): void;
  };
  readonly timings?: Partial<Timings>;
}

interface Slot {
  member: Member | null;
  /** How many of its workers in a row ended early. */
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #timings: Timings;
  readonly #slots: Slot[];
  /** All workers whose process exists, also those that leave. */
  readonly members = new Set<Member>();
  #isStopping = false;
  #rolling: Promise<boolean> | null = null;
  #watchedAt = performance.now();
  readonly #watch: NodeJS.Timeout;
  /** How many workers were replaced after they had ended by themselves. */
  replaced = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#timings = { ...defaultTimings, ...options.timings };
    this.#slots = Array.from({ length: options.workers }, () => ({
      member: null,
      failures: 0,
      timer: undefined,
    }));
    this.#watch = setInterval(() => this.#endSilent(), this.#timings.watchMs);
  }

  /** The workers that get new requests. */
  get serving(): readonly Member[] {
    return [...this.members].filter(({ isServing, isLeaving }) => isServing && !isLeaving);
  }

  /**
   * Starts the first worker and then all others. Resolves when each one serves or has failed; false
   * when the first one could not start.
   */
  async start(): Promise<boolean> {
    const [first, ...others] = this.#slots;
    if (first === undefined) return false;
    if (!(await this.#open(first).serving)) return false;
    await Promise.all(others.map((slot) => this.#open(slot).serving));
    return true;
  }

  /**
   * Replaces the workers one by one: each new one serves before its predecessor accepts no more.
   * Stops, with false, at the first new one that cannot start.
   */
  roll(): Promise<boolean> {
    this.#rolling ??= this.#rollAll().finally(() => {
      this.#rolling = null;
    });
    return this.#rolling;
  }

  async #rollAll(): Promise<boolean> {
    // Those that still leave since the last time are given the time of an ordinary stop.
    for (const member of this.members) if (member.isLeaving) member.tell({ kind: "stop" });
    for (const slot of this.#slots) {
      if (this.#isStopping) return false;
      const next = this.#openMember();
      if (!(await next.serving) || !next.isServing) {
        next.kill();
        this.#options.log.error(
          { alarm: "worker", worker: next.number },
          "a new worker cannot start: the others serve on",
        );
        return false;
      }
      clearTimeout(slot.timer);
      const old = slot.member;
      slot.member = next;
      slot.failures = 0;
      if (old === null) continue;
      old.isLeaving = true;
      old.tell({ kind: "retire" });
      await Promise.race([old.gone, pause(this.#timings.leaveMs, { isUnref: true })]);
    }
    return true;
  }

  /** Stops all workers. `forced` ends their wait for the requests in flight. */
  async stop(forced: Promise<unknown>): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    for (const slot of this.#slots) clearTimeout(slot.timer);
    const tellAll = (kind: "stop" | "hurry") => {
      for (const member of this.members) member.tell({ kind });
    };
    tellAll("stop");
    void forced.then(() => tellAll("hurry"));
    const timer = setTimeout(() => {
      for (const member of this.members) member.kill();
    }, this.#timings.stopMs);
    await Promise.all([...this.members].map(({ gone }) => gone));
    clearTimeout(timer);
  }

  #open(slot: Slot): Member {
    const member = this.#openMember();
    slot.member = member;
    return member;
  }

  #openMember(): Member {
    const member = this.#options.open();
    this.members.add(member);
    void member.gone.then((ended) => this.#noteEnd(member, ended));
    return member;
  }

  #noteEnd(member: Member, ended: Ended): void {
    const { log, onGone } = this.#options;
    this.members.delete(member);
    onGone(member, ended);
    const slot = this.#slots.find((each) => each.member === member);
    if (this.#isStopping || slot === undefined) return;
    const { backoffMs, backoffMsMax, provenMs } = this.#timings;
    slot.member = null;
    slot.failures = performance.now() - member.startedAt > provenMs ? 0 : slot.failures + 1;
    const waitMs =
      slot.failures === 0 ? 0 : Math.min(backoffMs * 2 ** (slot.failures - 1), backoffMsMax);
    log.error(
      { alarm: "worker", worker: member.number, ...ended, waitMs },
      "a worker has ended and is replaced",
    );
    slot.timer = setTimeout(() => {
      this.replaced++;
      this.#open(slot);
    }, waitMs);
  }

  #endSilent(): void {
    const { silentMs, watchMs } = this.#timings;
    const now = performance.now();
    // The whole machine may have been asleep.
    const wasAway = now - this.#watchedAt > 3 * watchMs;
    this.#watchedAt = now;
    for (const member of this.members) {
      if (wasAway) member.heardAt = now;
      if (now - member.heardAt < silentMs) continue;
      this.#options.log.error(
        { alarm: "worker", worker: member.number },
        "a worker does not answer and is ended",
      );
      member.kill();
    }
  }
}
