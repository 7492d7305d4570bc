/**
 * Counts the results of this process's calls to each channel, and adds them to the totals of all
 * processes in the database.
 */
import type pg from "pg";
import { refusalReasons } from "../contract/states";
import { credentialKey } from "../upstream/credentials";
import type { Meter } from "../upstream/meter";
import type { Channel, UpstreamFailure } from "../upstream/provider";
import { LATENCY_STEPS, latencyStep } from "./latency";

const MINUTE_MS = 60_000;
const FLUSH_MS = 2000;
/** A process repeats how many calls it runs this often, and the figure expires after a while. */
const SAY_AGAIN_MS = 10_000;
export const PROCESS_LIVES_SECONDS = 30;
const REMOVE_OLD_MS = 3_600_000;
const KEPT_DAYS = 8;
const ERROR_CHARACTERS_MAX = 300;

interface Minute {
  readonly channelId: string;
  readonly minute: string;
  succeeded: number;
  failed: number;
  refused: number;
  /** Of answers whose upstream reports cached tokens. */
  inputTokens: number;
  cachedTokens: number;
  readonly latencies: number[];
  lastError: string | null;
  lastErrorAt: string | null;
}

export interface HealthRecorder extends Meter {
  /**
   * Writes what was counted since the last call. What cannot be written is kept. Rejects when the
   * database does not answer.
   */
  flush(): Promise<void>;
  /** Writes one last time, if the database answers. */
  close(): Promise<void>;
}

const addMinutes = `
insert into channel_minute as m (channel_id, minute, succeeded, failed, refused, latencies, last_error, last_error_at, input_tokens, cached_tokens)
select channel_id, minute, succeeded, failed, refused, latencies, last_error, last_error_at, input_tokens, cached_tokens
  from json_to_recordset($1) as x(channel_id text, minute timestamptz, succeeded integer, failed integer, refused integer, latencies integer[],
                                  last_error text, last_error_at timestamptz, input_tokens bigint, cached_tokens bigint)
 order by channel_id, minute
on conflict (channel_id, minute) do update set
  input_tokens = m.input_tokens + excluded.input_tokens, cached_tokens = m.cached_tokens + excluded.cached_tokens,
  succeeded = m.succeeded + excluded.succeeded, failed = m.failed + excluded.failed, refused = m.refused + excluded.refused,
  latencies = array(select a + b from unnest(m.latencies, excluded.latencies) with ordinality as t(a, b, i) order by i),
  last_error = case when excluded.last_error_at >= coalesce(m.last_error_at, '-infinity') then excluded.last_error else m.last_error end,
  last_error_at = greatest(m.last_error_at, excluded.last_error_at)`;

const sayRunning = `
insert into channel_process as p (channel_id, node_id, in_flight, rests_until, noted_at)
select channel_id, $2, in_flight, case when rest_ms > 0 then now() + make_interval(secs => rest_ms / 1000.0) end, now()
  from json_to_recordset($1) as x(channel_id text, in_flight integer, rest_ms float8) order by channel_id
on conflict (channel_id, node_id) do update set in_flight = excluded.in_flight, rests_until = excluded.rests_until, noted_at = excluded.noted_at`;

/**
 * Failures that do not count in the channel's health: the client asked for something that must not
 * or cannot be made.
 */
const customersFailures = new Set<UpstreamFailure["code"]>(["content_rejected", ...refusalReasons]);

function emptyMinute(channelId: string, minute: string): Minute {
  const latencies = new Array<number>(LATENCY_STEPS).fill(0);
  return {
    channelId,
    minute,
    succeeded: 0,
    failed: 0,
    refused: 0,
    inputTokens: 0,
    cachedTokens: 0,
    latencies,
    lastError: null,
    lastErrorAt: null,
  };
}

function addTo(into: Minute, more: Minute): void {
  into.succeeded += more.succeeded;
  into.failed += more.failed;
  into.refused += more.refused;
  into.inputTokens += more.inputTokens;
  into.cachedTokens += more.cachedTokens;
  more.latencies.forEach((count, step) => {
    into.latencies[step] = (into.latencies[step] ?? 0) + count;
  });
  if (into.lastErrorAt === null)
    [into.lastError, into.lastErrorAt] = [more.lastError, more.lastErrorAt];
}

const rowOf = ({
  channelId,
  lastError,
  lastErrorAt,
  inputTokens,
  cachedTokens,
  ...minute
}: Minute) => ({
  ...minute,
  input_tokens: inputTokens,
  cached_tokens: cachedTokens,
  channel_id: channelId,
  last_error: lastError,
  last_error_at: lastErrorAt,
});

/**
 * Enough for a week without a database at one channel, or for a day at seven. Older minutes are
 * dropped.
 */
const MINUTES_WAITING_MAX = 10_000;

/** Counts that are not written yet. */
class Minutes {
  #minutes = new Map<string, Minute>();
  /** The current minute, counted from 1970, and as text: it is written once, not for each call. */
  #minute = 0;
  #minuteText = "";

  constructor(readonly pool: pg.Pool) {}

  of(channelId: string): Minute {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#minuteText = new Date(minute * MINUTE_MS).toISOString();
    }
    const key = `${channelId} ${this.#minuteText}`;
    const known = this.#minutes.get(key);
    if (known) return known;
    const first = emptyMinute(channelId, this.#minuteText);
    this.#minutes.set(key, first);
    return first;
  }

  async write(): Promise<void> {
    if (this.#minutes.size === 0) return;
    const written = this.#minutes;
    this.#minutes = new Map();
    try {
      await this.pool.query(addMinutes, [JSON.stringify([...written.values()].map(rowOf))]);
    } catch (error) {
      for (const [key, minute] of written) {
        const newer = this.#minutes.get(key);
        if (newer) addTo(newer, minute);
        else if (this.#minutes.size < MINUTES_WAITING_MAX) this.#minutes.set(key, minute);
      }
      throw error;
    }
  }
}

interface Place {
  readonly pool: pg.Pool;
  readonly nodeId: string;
  /** For how many milliseconds this process skips a channel. */
  cooldownOf(channelId: string): number;
}

/** The calls that run at each channel, and with each of several credentials, now. */
class Running {
  readonly counts = new Map<string, number>();
  readonly #said = new Map<string, string>();
  readonly #used = new Set<string>();
  #saidAt = 0;

  constructor(readonly place: Place) {}

  change(channel: Channel, by: 1 | -1): void {
    this.#add(channel.id, by);
    if (channel.credential !== undefined) this.#add(credentialKey(channel), by);
  }

  #add(key: string, by: 1 | -1): void {
    this.counts.set(key, Math.max(0, (this.counts.get(key) ?? 0) + by));
  }

  /** Writes the running calls where they changed, and all of them from time to time. */
  async write(): Promise<void> {
    const { pool, nodeId, cooldownOf } = this.place;
    await this.#writeFirstUse();
    const isAll = performance.now() - this.#saidAt > SAY_AGAIN_MS;
    const rows = [...this.counts].map(([channel_id, in_flight]) => ({
      channel_id,
      in_flight,
      rest_ms: cooldownOf(channel_id),
    }));
    const textOf = (row: { in_flight: number; rest_ms: number }) =>
      `${row.in_flight} ${row.rest_ms > 0}`;
    const changed = rows.filter(
      (row) =>
        this.#said.get(row.channel_id) !== textOf(row) || (isAll && textOf(row) !== "0 false"),
    );
    if (changed.length === 0) return;
    await pool.query(sayRunning, [JSON.stringify(changed), nodeId]);
    if (isAll) this.#saidAt = performance.now();
    for (const row of changed) this.#said.set(row.channel_id, textOf(row));
  }

  async #writeFirstUse(): Promise<void> {
    const fresh = [...this.counts.keys()].filter((id) => !this.#used.has(id));
    if (fresh.length === 0) return;
    await this.place.pool.query(
      "update channel set first_used_at = now() where id = any($1) and first_used_at is null",
      [fresh],
    );
    for (const id of fresh) this.#used.add(id);
  }
}

async function removeOld(pool: pg.Pool): Promise<void> {
  await pool.query("delete from channel_minute where minute < now() - make_interval(days => $1)", [
    KEPT_DAYS,
  ]);
  await pool.query("delete from channel_process where noted_at < now() - interval '1 hour'");
}

function noteInto(minute: Minute, failure: UpstreamFailure | null, latencyMs: number): void {
  if (failure === null) {
    const step = latencyStep(latencyMs);
    minute.succeeded++;
    minute.latencies[step] = (minute.latencies[step] ?? 0) + 1;
  } else if (customersFailures.has(failure.code)) minute.refused++;
  else {
    minute.failed++;
    minute.lastError = `${failure.code}: ${failure.internal}`
      .replace(/[^\x20-\x7e]/g, "?")
      .slice(0, ERROR_CHARACTERS_MAX);
    minute.lastErrorAt = new Date().toISOString();
  }
}

export function createHealthRecorder(
  options: Place & { onProblem(error: unknown): void },
): HealthRecorder {
  const { pool, nodeId, onProblem } = options;
  const minutes = new Minutes(pool);
  const running = new Running(options);
  let removedAt: number | null = null;
  let hadProblem = false;
  let turn: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    await minutes.write();
    await running.write();
    if (removedAt !== null && performance.now() - removedAt < REMOVE_OLD_MS) return;
    await removeOld(pool);
    removedAt = performance.now();
  }

  const timer = setInterval(() => {
    turn = turn.then(flush).then(
      () => {
        hadProblem = false;
      },
      (error: unknown) => {
        if (!hadProblem) onProblem(error);
        hadProblem = true;
      },
    );
  }, FLUSH_MS);
  timer.unref();

  return {
    begin: (channel) => running.change(channel, 1),
    end: (channel) => running.change(channel, -1),
    note: ({ id }, failure, latencyMs) => noteInto(minutes.of(id), failure, latencyMs),
    count({ id }, inputTokens, cachedTokens) {
      const minute = minutes.of(id);
      minute.inputTokens += inputTokens;
      minute.cachedTokens += cachedTokens;
    },
    flush,
    async close() {
      clearInterval(timer);
      await turn;
      await flush().catch(onProblem);
      await pool.query("delete from channel_process where node_id = $1", [nodeId]).catch(() => {});
    },
  };
}
