/**
 * The rows of requests with an Idempotency-Key, and of orders without one that a client's retry may
 * join. Every write names the operation it is for, so it never changes the row of a later one.
 */
import type pg from "pg";
import type { Family, HoldOutcome } from "../contract/states";
import { readableBy, readerValues } from "../db/order-readers";
import { RelayError } from "../failures/relay-error";
import { orderRows, type Query } from "./order-rows";
import type { RequestFacts } from "./request-facts";

/** An earlier request with the same key, and the state of its operation. */
export interface EarlierRequest {
  readonly endpoint: string;
  readonly sha256: Buffer;
  readonly requestId: string;
  readonly operationId: string;
  readonly nodeId: string | null;
  readonly state: "running" | "answered";
  readonly headers: Record<string, string> | null;
  readonly body: Buffer | null;
  readonly isExpired: boolean;
  /** Whether another key or person sent it, whose answer this one may read. */
  readonly isOthers: boolean;
  /** True while the process that works on it renews its lease. */
  readonly isNodeAlive: boolean;
  /** True when no points were held although there was time enough: the hold was refused. */
  readonly isStale: boolean;
  /** A change without an operation, which is committed. */
  readonly tookEffect: boolean;
  /** Null as long as no points are held for it. */
  readonly family: Family | null;
  /** Null while the operation is open, or when there is none. */
  readonly outcome: HoldOutcome | null;
  /** Micropoints charged, as decimal text. */
  readonly amount: string | null;
}

/** The model is checked by the order's own body. */
const asked = {
  accountId: "r.account_id",
  apiKeyId: "r.api_key_id",
  userId: "r.user_id",
  model: null,
} as const;

/** The person who made a key that manages. */
const managerOf = (key: string) =>
  `coalesce((select k.created_by from management_key k where k.id = ${key}), (select k.user_id from operator_key k where k.id = ${key}))`;

/**
 * Whether the row `r` is the same request with the same value by another one, which is then a retry of
 * it. Of keys that manage, one person's: their answers are sealed, so such a retry is refused. The
 * values of `asker` begin at `$3`. An earlier release left the sender of some rows empty.
 */
const isSame = `r.account_id = $1 and r.key = $2 and r.asked_by <> $7 and r.endpoint = $8 and r.request_sha256 = $9
  and r.expires_at > now() and (r.asked_by = '' or ${readableBy(asked, 3)} or ${managerOf("r.api_key_id")} = ${managerOf("$3::text")})`;
const asker = ({ accountId, key, reader, askedBy, endpoint, sha256 }: RequestFacts): unknown[] => [
  accountId,
  key,
  ...readerValues(reader),
  askedBy,
  endpoint,
  sha256,
];

const earlierRequest = `
  select r.endpoint, r.request_sha256 as sha256, r.request_id as "requestId", r.operation_id as "operationId", r.node_id as "nodeId", r.state,
         r.headers, r.body, r.took_effect as "tookEffect", r.expires_at <= now() as "isExpired",
         exists (select from node n where n.id = r.node_id and n.lease_until > clock_timestamp()) as "isNodeAlive",
         r.asked_by <> $7 as "isOthers",
         o.id is null and r.created_at < now() - interval '1 minute' as "isStale", o.family, o.outcome, o.amount
  from idempotent_request r left join request_known o on o.id = r.operation_id
  where r.account_id = $1 and r.key = $2 and (r.asked_by = $7 or ${isSame}) order by r.asked_by = $7 desc, r.created_at limit 1`;

/** `$15`: also where another one's request is the same. */
const insertRequest = `
  insert into idempotent_request (account_id, key, endpoint, request_sha256, is_stream, request_id, operation_id, node_id,
                                  fingerprint, caller_id, caller_node, api_key_id, user_id)
  select $1, $2, $8, $9::bytea, $10::boolean, $11::text, $12::uuid, $13::text, $14::bytea,
         case when $14 is not null then $11 end, case when $14 is not null then $13 end, $3::text, $4::text
  where $15::boolean or not exists (select from idempotent_request r where ${isSame})
  on conflict do nothing`;

export type RequestTable = ReturnType<typeof createRequestTable>;

function queryOf(pool: pg.Pool): Query {
  return async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => {
    try {
      return await pool.query<Row>(text, values);
    } catch (cause) {
      throw new RelayError("database_unavailable", {
        cause,
        internal: "an idempotent request's row",
      });
    }
  };
}

const isDone = ({ rowCount }: pg.QueryResult) => (rowCount ?? 0) > 0;

function answers(query: Query, nodeId: string) {
  return {
    /** True as long as the row belongs to this operation. */
    async isOwn({ accountId, key }: RequestFacts, operationId: string): Promise<boolean> {
      return isDone(
        await query(
          "select from idempotent_request where account_id = $1 and key = $2 and operation_id = $3 and node_id = $4",
          [accountId, key, operationId, nodeId],
        ),
      );
    },

    /** Gives the row to the next operation of its request; false when it is no longer this one's. */
    async renew(
      { accountId, key }: RequestFacts,
      operationId: string,
      next: string,
    ): Promise<boolean> {
      return isDone(
        await query(
          "update idempotent_request set operation_id = $5 where account_id = $1 and key = $2 and operation_id = $3 and node_id = $4",
          [accountId, key, operationId, nodeId, next],
        ),
      );
    },

    /** Stores the answer; false when the row no longer belongs to this operation. */
    async store(
      { accountId, key }: RequestFacts,
      operationId: string,
      answer: {
        state: EarlierRequest["state"];
        headers: Record<string, string>;
        body: string | Uint8Array;
      },
    ): Promise<boolean> {
      return isDone(
        await query(
          `update idempotent_request set state = $4, headers = $5, body = $6
           where account_id = $1 and key = $2 and operation_id = $3 and node_id = $7`,
          [
            accountId,
            key,
            operationId,
            answer.state,
            answer.headers,
            Buffer.from(answer.body as Uint8Array),
            nodeId,
          ],
        ),
      );
    },
  };
}

function endings(query: Query) {
  return {
    /** Gives the row to the next retry: the operation continues without this process. */
    async letGo({ accountId, key }: RequestFacts, operationId: string): Promise<void> {
      await query(
        "update idempotent_request set node_id = null where account_id = $1 and key = $2 and operation_id = $3",
        [accountId, key, operationId],
      );
    },

    /**
     * Deletes a request that cost and changed nothing. One whose operation is open or was charged
     * stays.
     */
    async forget({ accountId, key }: RequestFacts, operationId: string): Promise<void> {
      await query(
        `delete from idempotent_request where account_id = $1 and key = $2 and operation_id = $3 and not took_effect
           and not exists (select from request_known o where o.id = $3 and o.outcome is distinct from 'released')`,
        [accountId, key, operationId],
      );
    },
  };
}

/** All functions reject with `database_unavailable`. `nodeId` is this process's. */
export function createRequestTable(pool: pg.Pool, nodeId: string) {
  const query = queryOf(pool);
  return {
    ...orderRows(query, nodeId),
    ...answers(query, nodeId),
    ...endings(query),

    /**
     * False when the asker's own row with this key exists, or that of the same request by another
     * one (`isBeside`: that one does not count).
     */
    async insert(facts: RequestFacts, operationId: string, isBeside = false): Promise<boolean> {
      const { isStream, requestId, fingerprint } = facts;
      const own = [isStream, requestId, operationId, nodeId, fingerprint, isBeside];
      return isDone(await query(insertRequest, [...asker(facts), ...own]));
    },

    /** The asker's own row with this key, else that of the same request by another one. */
    async find(facts: RequestFacts): Promise<EarlierRequest | undefined> {
      return (await query<EarlierRequest>(earlierRequest, asker(facts))).rows[0];
    },

    /**
     * Assigns the row of `earlier` to this process, for `operationId`; false when another process
     * was faster. What took effect stays so, with what it made, for the same operation alone.
     */
    async takeOver(
      facts: RequestFacts,
      earlier: EarlierRequest,
      operationId: string,
    ): Promise<boolean> {
      const { accountId, key, endpoint, sha256, isStream, requestId } = facts;
      const written = [accountId, key, endpoint, sha256, isStream, requestId, operationId, nodeId];
      return isDone(
        await query(
          `update idempotent_request set endpoint = $3, request_sha256 = $4, is_stream = $5, request_id = $6, operation_id = $7, node_id = $8,
             state = 'running', headers = null, body = case when took_effect and operation_id = $7 then body end,
             took_effect = took_effect and operation_id = $7, created_at = now(), expires_at = now() + interval '24 hours'
           where account_id = $1 and key = $2 and operation_id = $9 and node_id is not distinct from $10 and state = $11
             and ($12 or not exists (select from request_known o where o.id = $9)) and (not took_effect or operation_id = $7 or expires_at <= now())`,
          [...written, earlier.operationId, earlier.nodeId, earlier.state, earlier.family !== null],
        ),
      );
    },
  };
}
