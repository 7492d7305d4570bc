import type pg from "pg";
import { kindsFor, mailedByDefault } from "../contract/notification-kinds";
import { memberRoles } from "../contract/states";

const PIECE = 100;

/** Each role with each kind that it is told of. */
const toldRoles = memberRoles.flatMap((role) => kindsFor(role).map((kind) => `${role} ${kind}`));

/**
 * Writes the mails and deliveries of new notifications, and that it did so, in one commit. To
 * verified addresses only: nobody gets mails about the account of somebody who typed his address. What is
 * about a person, or for operators, goes to no webhook that another member or a key has added.
 */
const handOutPiece = `
  with fresh as materialized (
    select * from notification where handed_out_at is null order by created_at limit ${PIECE} for update skip locked
  ), mails as (
    insert into notification_mail (notification_id, user_id)
      select f.id, u.id from fresh f
        cross join lateral (
          select f.user_id as id where f.user_id is not null
          union all
          select m.user_id from account_member m
           where f.user_id is null and m.account_id = f.account_id and m.role || ' ' || f.kind = any($3::text[])) who
        join "user" u on u.id = who.id and u.email_verified_at is not null
        left join notification_choice c on c.user_id = u.id and c.kind = f.kind
       where $1 and coalesce(c.by_mail, f.kind = any($2::text[]))
      on conflict do nothing
  ), deliveries as (
    insert into webhook_delivery (endpoint_id, notification_id)
      select e.id, f.id from fresh f join webhook_endpoint e on e.account_id = f.account_id and e.paused_at is null and f.kind = any(e.kinds)
         and (f.user_id is null or webhook_wished_by(e.id, e.url) in (f.user_id, 'cli'))
      on conflict do nothing
  )
  update notification n set handed_out_at = now() from fresh f where n.id = f.id`;

/**
 * Hands out all new notifications; without mails where mail is not set up. Returns whether there were
 * any.
 */
export async function handOut(pool: Pick<pg.Pool, "query">, hasMail: boolean): Promise<boolean> {
  for (let isFirst = true; ; isFirst = false) {
    const { rowCount } = await pool.query(handOutPiece, [hasMail, mailedByDefault, toldRoles]);
    if ((rowCount ?? 0) < PIECE) return !isFirst || rowCount !== 0;
  }
}
