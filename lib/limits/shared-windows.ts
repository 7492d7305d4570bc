/**
 * Sliding windows in Redis, shared by all processes. A request waits at most a tenth of a second
 * for Redis; without an answer this process decides alone. After repeated failures Redis is not
 * asked until it answers again.
 */
import type { Redis } from "ioredis";
import type { Window, WindowCount } from "./windows";

export interface SharedWindows {
  /** False while Redis does not answer. No request uses it then. */
  readonly isUp: boolean;
  /**
   * True until a minute after Redis was away or lost its memory: its counts are incomplete until
   * then.
   */
  readonly isForgetful: boolean;
  /** How many processes share each limit while Redis is away. */
  readonly processes: number;
  /**
   * Counts one request in every window, or in none. Null when Redis did not answer in time. Never
   * rejects.
   */
  take(windows: readonly Window[]): Promise<WindowCount | null>;
  /** Uncounts the newest request in each window. */
  giveBack(names: readonly string[]): void;
  close(): Promise<void>;
}

export interface SharedWindowsOptions {
  readonly url: string;
  /** Distinguishes the counts of this process. */
  readonly processId: string;
  /** Returns how many processes are alive; called every few seconds. */
  readonly countProcesses: () => Promise<number>;
  readonly log: (event: "up" | "down", detail: string) => void;
}

/**
 * The longest that a request waits for Redis. Far above what Redis takes on a busy machine, because
 * the fallback to shares lets more requests through.
 */
const PATIENCE_MS = 100;
const FAILURES_MAX = 3;
const PROBE_MS = 250;
const PROCESSES_MS = 3000;
/** As long as the longest window. */
const FORGETFUL_MS = 60_000;
const STUCK_MS = 10_000;

/**
 * KEYS: the epoch, the mark of incomplete counts, then the windows. ARGV: this count's name, then
 * length and limit of each window.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  epoch = time[1] .. '.' .. time[2]
  redis.call('SET', KEYS[1], epoch)
end
local wait = 0
for i = 3, #KEYS do
  local length = tonumber(ARGV[2 * i - 4])
  local limit = tonumber(ARGV[2 * i - 3])
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - length)
  local count = redis.call('ZCARD', KEYS[i])
  if count >= limit then
    local one = redis.call('ZRANGE', KEYS[i], count - limit, count - limit, 'WITHSCORES')
    wait = math.max(wait, one[2] + length - now)
  end
end
if wait == 0 then
  for i = 3, #KEYS do
    redis.call('ZADD', KEYS[i], now, ARGV[1])
    redis.call('PEXPIRE', KEYS[i], ARGV[2 * i - 4])
  end
end
local oldest = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
return {epoch, wait, redis.call('ZCARD', KEYS[3]), oldest[2] and oldest[2] + ARGV[2] - now or 0, redis.call('PTTL', KEYS[2])}`;

type Answer = [epoch: string, wait: number, used: number, oldest: number, doubt: number];
type WithScript = Redis & {
  relayTake(keys: number, ...given: (string | number)[]): Promise<Answer>;
};

const PROBE_KEY = "relay:probe";
const PROBE_KEPT_MS = 1000;
const DOUBT_KEY = "relay:doubt";
const keyOf = (name: string) => `relay:window:${name}`;

/**
 * The promise's value, or null after `PATIENCE_MS`. Answers that have arrived by then are read
 * first.
 */
function inTime<T>(promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => setImmediate(() => resolve(null)), PATIENCE_MS);
    const settle = (value: T | null) => {
      clearTimeout(timer);
      resolve(value);
    };
    promise.then(settle, () => settle(null));
  });
}

async function connect(url: string): Promise<WithScript> {
  // Loaded only when a Redis is configured.
  const { Redis: Client } = await import("ioredis");
  let isLeaving = false;
  const redis = new Client(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    // A server that became a replica is left, once for each connection: the address may lead to the
    // new primary by now.
    reconnectOnError(error) {
      const leaves = !isLeaving && error.message.includes("READONLY");
      isLeaving ||= leaves;
      return leaves;
    },
    retryStrategy: (times) => Math.min(100 * times, 1000),
  });
  // Failures show in the answers. Without a listener they would be printed.
  redis.on("error", () => {});
  redis.on("close", () => {
    isLeaving = false;
  });
  redis.defineCommand("relayTake", { lua: takeScript });
  return redis as WithScript;
}

/** Tracks whether Redis answers. Only a probe brings it up again, so no request has to try. */
class Standing {
  isUp = false;
  processes = 1;
  #failures = 0;
  #epoch: string | null = null;
  #forgetfulUntil = 0;
  #probingSince: number | null = null;

  constructor(
    readonly redis: Redis,
    readonly log: SharedWindowsOptions["log"],
  ) {}

  get isForgetful(): boolean {
    return performance.now() < this.#forgetfulUntil;
  }

  /**
   * Marks the counts as incomplete, also for other processes and for those that start within the
   * minute.
   */
  forget(): void {
    this.#forgetfulUntil = performance.now() + FORGETFUL_MS;
    this.redis.set(DOUBT_KEY, "1", "PX", FORGETFUL_MS).catch(() => {});
  }

  note(answer: Answer | null): void {
    if (answer !== null) {
      this.#failures = 0;
      if (this.#epoch !== null && this.#epoch !== answer[0]) this.forget();
      this.#epoch = answer[0];
      this.#forgetfulUntil = Math.max(this.#forgetfulUntil, performance.now() + Number(answer[4]));
    } else if (++this.#failures >= FAILURES_MAX) this.lose();
  }

  /** Redis is not used until it answers a probe. */
  lose(): void {
    if (!this.isUp) return;
    this.isUp = false;
    this.#failures = FAILURES_MAX;
    this.log(
      "down",
      "Redis does not answer in time: each process enforces its share of the limits",
    );
  }

  async probe(): Promise<void> {
    if (this.isUp) return;
    if (this.#probingSince !== null) {
      if (performance.now() - this.#probingSince > STUCK_MS) this.redis.disconnect(true);
      return;
    }
    this.#probingSince = performance.now();
    // One that answers and takes no writes counts nothing: a replica, or one cut off from its own.
    const sent = this.redis.set(PROBE_KEY, "1", "PX", PROBE_KEPT_MS);
    const answer = await inTime(sent);
    await sent.catch(() => {});
    this.#probingSince = null;
    if (answer === null) return;
    // When a process starts, it has counted nothing without Redis yet.
    if (this.#epoch !== null || this.#failures > 0) this.forget();
    this.#failures = 0;
    this.isUp = true;
    this.log("up", "Redis answers: limits are shared again");
  }
}

/**
 * Resolves when Redis has answered, or after a second without an answer: the process serves either
 * way.
 */
export async function openSharedWindows({
  url,
  processId,
  countProcesses,
  log,
}: SharedWindowsOptions): Promise<SharedWindows> {
  const redis = await connect(url);
  const standing = new Standing(redis, log);
  const onClose = () => standing.lose();
  redis.on("close", onClose);
  let counted = 0;
  const readProcesses = () =>
    countProcesses().then(
      (count) => {
        standing.processes = Math.max(1, count);
      },
      () => {},
    );
  await new Promise<void>((resolve) => {
    redis.once("ready", resolve);
    setTimeout(resolve, 1000).unref();
  });
  await Promise.all([readProcesses(), inTime(standing.probe())]);
  if (!standing.isUp)
    log("down", "Redis does not answer: each process enforces its share of the limits");
  const timers = [
    setInterval(() => void standing.probe(), PROBE_MS),
    setInterval(() => void readProcesses(), PROCESSES_MS),
  ];
  for (const timer of timers) timer.unref();
  return {
    get isUp() {
      return standing.isUp;
    },
    get isForgetful() {
      return standing.isForgetful;
    },
    get processes() {
      return standing.processes;
    },
    async take(windows) {
      const keys = ["relay:epoch", DOUBT_KEY, ...windows.map(({ name }) => keyOf(name))];
      const lengths = windows.flatMap(({ windowMs, limit }) => [windowMs, limit]);
      const answer = await inTime(
        redis.relayTake(keys.length, ...keys, `${processId} ${++counted}`, ...lengths),
      );
      standing.note(answer);
      return answer === null
        ? null
        : { waitMs: Number(answer[1]), used: Number(answer[2]), oldestLeavesMs: Number(answer[3]) };
    },
    giveBack(names) {
      if (!standing.isUp) return;
      for (const name of names) redis.zremrangebyrank(keyOf(name), -1, -1).catch(() => {});
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      redis.off("close", onClose);
      redis.disconnect();
    },
  };
}
