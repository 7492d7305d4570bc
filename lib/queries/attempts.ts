/** The calls to upstreams that were made for a request. Read-only. */
import type { Reader } from "../db/pool";

export interface AttemptLine {
  readonly id: string;
  readonly channelId: string;
  readonly credential: string | null;
  readonly upstreamModel: string;
  /** Null when it answered. */
  readonly code: string | null;
  readonly status: number | null;
  readonly internal: string | null;
  readonly said: string | null;
  readonly upstreamRef: string | null;
  readonly tookMs: number;
  readonly endedAt: Date;
}

const SHOWN_MAX = 50;

/** Oldest first. */
export async function attemptsOf(pool: Reader, operationId: string): Promise<AttemptLine[]> {
  const { rows } = await pool.query<AttemptLine>(
    `select id, channel_id as "channelId", credential, upstream_model as "upstreamModel", code, status, internal, said,
            upstream_ref as "upstreamRef", took_ms as "tookMs", ended_at as "endedAt"
       from upstream_attempt where operation_id = $1 order by id limit ${SHOWN_MAX}`,
    [operationId],
  );
  return rows;
}

/** Of each request the failure of its last attempt, by the ids of their operations. */
export async function lastFailures(
  pool: Reader,
  operationIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<AttemptLine, "code" | "status" | "said">>> {
  if (operationIds.length === 0) return new Map();
  const { rows } = await pool.query<{
    id: string;
    code: string | null;
    status: number | null;
    said: string | null;
  }>(
    `select distinct on (operation_id) operation_id as id, code, status, said
       from upstream_attempt a where operation_id = any($1::uuid[]) and code is not null
      order by operation_id, a.id desc`,
    [operationIds],
  );
  return new Map(rows.map(({ id, ...failure }) => [id, failure]));
}
