/** What people were told of. Read-only. */
import type { Locale } from "@/messages/locales";
import { kindsFor } from "../contract/notification-kinds";
import type { NotificationView } from "../contract/notifications";
import type { MemberRole, NotificationKind } from "../contract/states";
import { invalidValue } from "../failures/relay-error";
import { notificationWords } from "../notifications/notification-words";
import { standingData } from "../notifications/standing";
import type { QueryDeps } from "./query-deps";

const PAGE = 25;

interface Row {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly data: unknown;
  /** As it is now; null where nothing of it is so any more. */
  readonly standing: unknown;
  readonly created_at: Date;
  readonly mail: NotificationView["mail"];
  readonly webhooks: number;
  readonly place: string;
}

const state = `case when m.user_id is null then null when m.sent_at is not null then 'sent' when m.given_up_at is not null then 'given_up' else 'waiting' end`;

/** An announcement of prices that were all withdrawn or replaced is left out: it never came true. */
const pageQuery = `
  select n.id, n.kind, n.data, now_so.standing, n.created_at, ${state} as mail, extract(epoch from n.created_at) || ' ' || n.id as place,
         (select count(*)::integer from webhook_delivery d where d.notification_id = n.id) as webhooks
    from notification n cross join lateral (select ${standingData("n")} as standing) now_so left join notification_mail m on m.notification_id = n.id and m.user_id = $2
   where n.account_id = $1 and (n.user_id is null and n.kind = any($5::text[]) or n.user_id = $2)
     and (n.kind <> 'price_change' or now_so.standing is not null) and ($3::float8 is null or (n.created_at, n.id) < (to_timestamp($3::float8), $4))
   order by n.created_at desc, n.id desc limit ${PAGE + 1}`;

function placeOf(cursor: string | undefined): readonly [number, string] | readonly [null, null] {
  if (cursor === undefined) return [null, null];
  const [, at, id] = /^(\d{1,12}\.\d{1,6}) (ntf_[0-9a-f]{32})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw invalidValue("cursor", "The cursor is invalid. Send one from a previous answer.");
  return [Number(at), id];
}

/** What the account and the reader were told of, newest first. */
export async function listNotifications(
  { pool }: Pick<QueryDeps, "pool">,
  reader: {
    accountId: string;
    userId: string;
    role: MemberRole;
    locale: Locale;
    cursor?: string | undefined;
  },
): Promise<{ notifications: NotificationView[]; nextCursor: string | null }> {
  const { accountId, userId, role, locale, cursor } = reader;
  const { rows } = await pool.query<Row>(pageQuery, [
    accountId,
    userId,
    ...placeOf(cursor),
    kindsFor(role),
  ]);
  const wordsOf = notificationWords(locale);
  const shown = rows.slice(0, PAGE);
  return {
    notifications: shown.map(({ id, kind, data, standing, created_at, mail, webhooks }) => ({
      id,
      kind,
      ...wordsOf({ kind, data: standing ?? data }),
      isOver: standing === null,
      createdAt: created_at.toISOString(),
      mail,
      webhooks,
    })),
    nextCursor: rows.length > PAGE ? (shown.at(-1)?.place ?? null) : null,
  };
}
