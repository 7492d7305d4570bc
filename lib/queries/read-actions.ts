/** Reads the audit log for operators. Read-only. */

import type { z } from "zod";
import type { ActionView, actionsCsvQuery } from "../contract/operator-actions";
import { rangeFailure } from "../db/database-errors";
import type { Reader } from "../db/pool";
import { invalidValue } from "../failures/relay-error";
import { likeText } from "./find-accounts";
import { ownerEmail } from "./owner-email";
import type { Stored } from "./stored";

type ActionFilter = z.output<typeof actionsCsvQuery>;

export type LoggedAction = Omit<Stored<ActionView, never, "at">, "before" | "after">;

/** SQL: the name that the log last had for something that is no more. */
const lastName = (
  id: string,
) => `(select coalesce(o.detail #>> '{after,name}', o.detail #>> '{before,name}', o.detail #>> '{after,url}', o.detail ->> 'url')
    from operator_action o where o.subject = ${id}
     and coalesce(o.detail #>> '{after,name}', o.detail #>> '{before,name}', o.detail #>> '{after,url}', o.detail ->> 'url') is not null
   order by o.at desc limit 1)`;

/** SQL: what people call something, by the table that its id is from. */
const nameOf = (id: string) => `case split_part(${id}, '_', 1)
  when 'acct' then ${ownerEmail(id)}
  when 'user' then (select email from "user" where id = ${id})
  when 'key' then (select name from api_key where id = ${id})
  when 'mkey' then (select name from management_key where id = ${id})
  when 'opkey' then (select name from operator_key where id = ${id})
  when 'whe' then coalesce((select url from webhook_endpoint where id = ${id}), ${lastName(id)})
  when 'ch' then coalesce((select name from channel where id = ${id}), ${lastName(id)})
  when 'pkg' then (select name from topup_package where id = ${id})
  when 'vb' then (select name from voucher_batch where id = ${id})
  when 'inv' then (select coalesce(i.note, ${ownerEmail("i.used_account_id")}) from invite i where i.id = ${id})
  when 'minv' then (select coalesce(i.email, j.email, ${ownerEmail("i.account_id")}) from account_invitation i
                      left join "user" j on j.id = i.accepted_by where i.id = ${id})
  when 'ntc' then (select text_en from notice where id = ${id})
  when 'grp' then coalesce((select name from account_group where id = ${id}), ${lastName(id)})
  when 'plan' then (select name from plan where id = ${id})
  when 'inc' then (select coalesce(title_en, title_zh) from incident where id = ${id})
  when 'pay' then (select ${ownerEmail("p.account_id")} from payment p where p.id = ${id}) end`;

/** SQL: the names of all that the values of an action tell by its id. */
const namesWithin = `(select coalesce(jsonb_object_agg(told.id, told.name) filter (where told.name is not null), '{}')
  from (select each.id, ${nameOf("each.id")} as name
          from (select distinct value #>> '{}' as id from jsonb_path_query(a.detail, 'strict $.** ? (@.type() == "string")') as value) each
         where each.id ~ '^[a-z]+_[0-9a-z]{26}$') told)`;

/** SQL: the name of the key that acted. */
const actorName = `case split_part(a.actor, '_', 1)
  when 'mkey' then (select name from management_key where id = a.actor)
  when 'opkey' then (select name from operator_key where id = a.actor) end`;

/**
 * The rows of a filter below `cursor`, newest first. Throws `invalid_value` for a cursor that is
 * not ours, `range_too_large`.
 */
export async function readActions(
  pool: Reader,
  filter: ActionFilter,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ actions: LoggedAction[]; nextCursor: string | null }> {
  const values: unknown[] = [limit + 1];
  const parts = ["true"];
  if (cursor !== undefined) {
    if (!/^\d{1,18}$/.test(cursor)) {
      throw invalidValue("cursor", "The cursor is invalid. Send one from a previous answer.");
    }
    parts.push(`a.seq < $${values.push(cursor)}`);
  }
  if (filter.actor !== undefined) {
    const place = values.push(
      filter.actor.includes("@") ? filter.actor.toLowerCase() : filter.actor,
    );
    parts.push(
      filter.actor.includes("@")
        ? `a.actor in (select id from "user" where email = $${place})`
        : `a.actor = $${place}`,
    );
  }
  if (filter.action !== undefined)
    parts.push(`a.action like $${values.push(`${likeText(filter.action)}%`)}`);
  if (filter.subject !== undefined) {
    const place = values.push(filter.subject);
    parts.push(`a.subject in (select $${place} union all select id from "user" where email = lower($${place})
      union all select account_id from "user" where email = lower($${place}))`);
  }
  if (filter.from !== undefined)
    parts.push(`a.at >= $${values.push(filter.from)}::date::timestamp at time zone 'UTC'`);
  if (filter.to !== undefined)
    parts.push(`a.at < ($${values.push(filter.to)}::date + 1)::timestamp at time zone 'UTC'`);
  const { rows } = await pool
    .query<LoggedAction>(
      `select a.seq::text, a.at, a.actor, u.email as "actorEmail", ${actorName} as "actorName", a.action, a.subject, a.detail, encode(a.hash, 'hex') as hash,
              coalesce(s.email, ${ownerEmail("a.subject")}) as "subjectEmail", ${nameOf("a.subject")} as "subjectName",
              ${namesWithin} as names
         from operator_action a left join "user" u on u.id = a.actor left join "user" s on s.id = a.subject
        where ${parts.join(" and ")} order by a.seq desc limit $1`,
      values,
    )
    .catch((error: unknown) => Promise.reject(rangeFailure(error)));
  const actions = rows.slice(0, limit);
  return { actions, nextCursor: rows.length > limit ? (actions.at(-1)?.seq ?? null) : null };
}
