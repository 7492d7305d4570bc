/** The calls to upstreams that were made for a request. Read-only. */
import type { LoggedRequestView } from "../contract/operator-requests";
import type { Reader } from "../db/pool";
import type { Stored } from "./stored";

type Attempt = LoggedRequestView["attempts"][number];
export type AttemptLine = Omit<Stored<Attempt, never, "endedAt">, "channel"> & {
  readonly channelId: string;
};

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
  const { rows } = await pool.query<Pick<AttemptLine, "id" | "code" | "status" | "said">>(
    `select distinct on (operation_id) operation_id as id, code, status, said
       from upstream_attempt a where operation_id = any($1::uuid[]) and code is not null
      order by operation_id, a.id desc`,
    [operationIds],
  );
  return new Map(rows.map(({ id, ...failure }) => [id, failure]));
}
