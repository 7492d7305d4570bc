import type pg from "pg";

const PIECE = 1000;
/** Each removes a piece; the rows that belong to it go with it. */
const removals = [
  `delete from notification where id in (select id from notification where created_at < now() - interval '90 days' limit ${PIECE})`,
  `delete from webhook_delivery where id in (select id from webhook_delivery where created_at < now() - interval '30 days' limit ${PIECE})`,
  `delete from notification_told where (account_id, subject) in
     (select account_id, subject from notification_told where until < now() - interval '1 day' limit ${PIECE})`,
];

/** Notifications after 90 days, the log of webhooks after 30, and marks whose time is over. */
export async function removeOld(client: Pick<pg.ClientBase, "query">): Promise<void> {
  for (const removal of removals) while (((await client.query(removal)).rowCount ?? 0) === PIECE);
}
