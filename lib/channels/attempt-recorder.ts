/**
 * Writes what the rows of requests do not tell of the calls to upstreams, a moment later and in
 * batches: no request waits for it. A process that is killed loses the last moment.
 */
import type pg from "pg";
import { newOperationId } from "../crypto/ids";
import { isValueRefused } from "../db/database-errors";
import type { Attempt, NoteAttempt } from "../upstream/attempt";

const FLUSH_MS = 1000;
/** Of a batch; and of what waits while the database is away: later ones are dropped. */
const BATCH_MAX = 1000;
const WAITING_MAX = 20_000;
const INTERNAL_CHARACTERS_MAX = 300;
const SAID_CHARACTERS_MAX = 500;
const SECRET_CHARACTERS_MIN = 8;

const insert = `
insert into upstream_attempt
select * from json_populate_recordset(null::upstream_attempt, $1)
on conflict (id) do nothing`;

/** The words without the channel's credential, and without anything that looks like one. */
function withoutSecrets(text: string, { apiKey }: Attempt["channel"]): string {
  const known =
    apiKey !== null && apiKey.length >= SECRET_CHARACTERS_MIN ? text.replaceAll(apiKey, "…") : text;
  return known.replace(/\b(?:sk|pk|rk|ak|key)-[\w*.-]{6,}/gi, "…").replace(/\bBearer \S+/gi, "…");
}

/** Truncation may leave half of a character, which the database refuses with the whole batch. */
const saidOf = (text: string, channel: Attempt["channel"]) =>
  withoutSecrets(text, channel)
    .slice(0, SAID_CHARACTERS_MAX)
    .replace(/\p{Cs}/gu, "");

let count = 0;

/** An id that sorts by its time and, within a millisecond of this process, by its turn. */
function nextId(now: number): string {
  const id = newOperationId(now);
  const turn = (count++ & 0xfff).toString(16).padStart(3, "0");
  return id.slice(0, 15) + turn + id.slice(18);
}

export function attemptRow(attempt: Attempt) {
  const now = Date.now();
  const { operationId, channel, model, failure, upstreamRef = null, tookMs } = attempt;
  const internal = failure?.internal.replace(/[^\x20-\x7e]/g, "?");
  const said = failure?.said && saidOf(failure.said, channel);
  return {
    id: nextId(now),
    operation_id: operationId,
    channel_id: channel.id,
    credential: channel.credential?.name ?? null,
    model,
    upstream_model: channel.models[model] ?? model,
    code: failure?.code ?? null,
    status: failure?.status ?? null,
    internal: internal?.slice(0, INTERNAL_CHARACTERS_MAX) ?? null,
    said: said || null,
    upstream_ref: upstreamRef,
    may_have_cost: failure?.mayHaveCost ?? false,
    took_ms: Math.round(tookMs),
    ended_at: new Date(now).toISOString(),
  };
}

export async function writeAttempts(
  pool: pg.Pool | pg.ClientBase,
  rows: readonly ReturnType<typeof attemptRow>[],
): Promise<void> {
  await pool.query(insert, [JSON.stringify(rows)]);
}

export interface AttemptRecorder {
  readonly note: NoteAttempt;
  /** Writes what waits. Rejects when the database does not answer; it waits on then. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createAttemptRecorder(
  pool: pg.Pool,
  onProblem: (error: unknown) => void,
  /** Called for a row that the database refuses: nothing keeps it. */
  onDropped: (id: string, error: unknown) => void = () => {},
): AttemptRecorder {
  let waiting: ReturnType<typeof attemptRow>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let hadProblem = false;

  /** Halves what the database refuses until one row is left, which is dropped. */
  async function writeRows(rows: readonly ReturnType<typeof attemptRow>[]): Promise<void> {
    try {
      await writeAttempts(pool, rows);
    } catch (error) {
      if (!isValueRefused(error)) throw error;
      const middle = rows.length >> 1;
      if (middle === 0) return onDropped(rows[0]?.id ?? "", error);
      await writeRows(rows.slice(0, middle));
      await writeRows(rows.slice(middle));
    }
  }
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      await writeRows(batch);
      waiting = waiting.slice(batch.length);
    }
  }
  /** One at a time: a batch that is written twice has the same ids. */
  function flush(): Promise<void> {
    const written = turn.then(write);
    turn = written.catch(() => {});
    return written;
  }
  function later(): void {
    timer = undefined;
    flush().then(
      () => {
        hadProblem = false;
      },
      (error: unknown) => {
        if (!hadProblem) onProblem(error);
        hadProblem = true;
        wake();
      },
    );
  }
  function wake(): void {
    timer ??= setTimeout(later, FLUSH_MS).unref();
  }

  return {
    note(attempt) {
      if (waiting.length >= WAITING_MAX) return;
      waiting.push(attemptRow(attempt));
      wake();
    },
    flush,
    async close() {
      clearTimeout(timer);
      await flush().catch(onProblem);
      clearTimeout(timer);
    },
  };
}
