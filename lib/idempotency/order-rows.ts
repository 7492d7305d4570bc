/** The rows of orders without an Idempotency-Key. */
import type pg from "pg";
import type { RequestFacts } from "./request-facts";

/**
 * The newest order of a body that still runs or ended at most ten minutes ago. `$6`: include orders
 * whose client waits or has the answer.
 */
const takeOrder = `
  update idempotent_request u set caller_id = $3, caller_node = $4 from (
    select r.account_id, r.key from idempotent_request r join account a on a.id = r.account_id and a.joins_retries
      left join request e on e.id = r.operation_id
     where r.account_id = $1 and r.fingerprint = $2 and r.endpoint = $5 and r.expires_at > now()
       and (e.id is null or (e.outcome = 'settled' and e.ended_at > now() - interval '10 minutes'))
       and ($6 or r.caller_id is null or not exists (select from node n where n.id = r.caller_node and n.lease_until > clock_timestamp()))
     order by r.caller_id is null desc, r.created_at desc limit 1 for update of r) found
   where u.account_id = found.account_id and u.key = found.key returning u.key`;

export type Query = <Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[],
) => Promise<pg.QueryResult<Row>>;

/** Its functions reject as `query` does. `nodeId` is this process's. */
export function orderRows(query: Query, nodeId: string) {
  return {
    /**
     * Inserts an order whose client waits for it; false when the account's retries do not join
     * orders.
     */
    async insertOrder(facts: RequestFacts, operationId: string): Promise<boolean> {
      const { accountId, key, endpoint, sha256, requestId, fingerprint, reader } = facts;
      const { rowCount } = await query(
        `insert into idempotent_request (account_id, key, endpoint, request_sha256, is_stream, request_id, operation_id, node_id,
                                         fingerprint, caller_id, caller_node, api_key_id, expires_at)
         select id, $2, $3, $4, false, $5::text, $6, $7::text, $8, $5::text, $7::text, $9, now() + interval '1 hour' from account where id = $1 and joins_retries`,
        [
          accountId,
          key,
          endpoint,
          sha256,
          requestId,
          operationId,
          nodeId,
          fingerprint,
          reader.apiKeyId,
        ],
      );
      return (rowCount ?? 0) > 0;
    },

    /**
     * Assigns an order to the request's client and returns the order's key. Takes an order whose
     * client has gone, or with `isAny` any order. Null when there is none.
     */
    async takeOrder(
      { accountId, fingerprint, requestId, endpoint }: RequestFacts,
      isAny: boolean,
    ): Promise<string | null> {
      const { rows } = await query<{ key: string }>(takeOrder, [
        accountId,
        fingerprint,
        requestId,
        nodeId,
        endpoint,
        isAny,
      ]);
      return rows[0]?.key ?? null;
    },

    /** Records that the request's client went away without an answer. */
    async leaveOrder({ accountId, key, requestId }: RequestFacts): Promise<void> {
      await query(
        "update idempotent_request set caller_id = null, caller_node = null where account_id = $1 and key = $2 and caller_id = $3",
        [accountId, key, requestId],
      );
    },
  };
}
