/**
 * Finds accounts for operators. Read-only, paged; every query uses an index or is cancelled after
 * the pool's two seconds.
 */

import {
  isKeyText,
  isManagementKeyText,
  isOperatorKeyText,
  keyHint,
  movedKeyText,
} from "../accounts/key-text";
import type { AccountLine } from "../contract/operator-accounts";
import { isIdOf } from "../crypto/ids";
import { rangeFailure } from "../db/database-errors";
import type { Reader } from "../db/pool";
import { invalidValue } from "../failures/relay-error";
import type { Stored } from "./stored";

export type FoundAccount = Omit<
  Stored<AccountLine, "available" | "held" | "spent", "createdAt" | "lastSeenAt">,
  "multiplier" | "group"
> & {
  /** Null where it has none of its own. */
  readonly multiplierPpm: number | null;
  readonly groupId: string | null;
  readonly groupName: string | null;
  readonly groupPpm: number | null;
};

const SPENT_DAYS = 30;

export interface AccountSearch {
  readonly text?: string | undefined;
  readonly status?: FoundAccount["status"] | undefined;
  readonly areOperators?: boolean;
  /** An account's id. The caller resolves other ids to it. */
  readonly accountId?: string | undefined;
  readonly cursor?: string | undefined;
}

type Amount = "available" | "held" | "spent";

const PAGE = 50;

/** Escapes a text so that a `like` pattern matches it literally. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** SQL: operator keys as keys of the accounts of their makers. */
const operatorKeys =
  '(select o.id, o.hint, m.account_id from operator_key o join "user" m on m.id = o.user_id)';

/** SQL: the accounts with a key that moved here, found by its hint. */
const withMoved = (text: string, values: unknown[]) =>
  `exists (select from api_key k where k.account_id = a.id and k.hint like $${values.push(`${likeText(keyHint(text))}%`)})`;

function textCondition(text: string, values: unknown[]): string {
  if (text.startsWith("sk-rly-")) {
    // A complete key is searched by its hint: the key itself is never part of a query.
    const [table, shown] = text.startsWith("sk-rly-mgmt-")
      ? ["management_key", 17]
      : text.startsWith("sk-rly-op-")
        ? [operatorKeys, 15]
        : ["api_key", 12];
    const hint =
      isKeyText(text) || isManagementKeyText(text) || isOperatorKeyText(text)
        ? keyHint(text)
        : text.replace("...", "…").slice(0, text.includes("…") ? shown + 8 : shown);
    const pattern = `${likeText(hint)}%`;
    return `exists (select from ${table} k where k.account_id = a.id and k.hint like $${values.push(pattern)})`;
  }
  if (text.startsWith("sk-") && movedKeyText(text) === text) return withMoved(text, values);
  if (isIdOf("operatorKey", text))
    return `exists (select from ${operatorKeys} k where k.account_id = a.id and k.id = $${values.push(text)})`;
  if (isIdOf("group", text)) return `a.group_id = $${values.push(text)}`;
  if (isIdOf("managementKey", text))
    return `exists (select from management_key k where k.account_id = a.id and k.id = $${values.push(text)})`;
  if (isIdOf("apiKey", text))
    return `exists (select from api_key k where k.account_id = a.id and k.id = $${values.push(text)})`;
  if (isIdOf("user", text))
    return `exists (select from account_member m where m.account_id = a.id and m.user_id = $${values.push(text)})`;
  const pattern = `%${likeText(text.toLowerCase())}%`;
  return `exists (select from account_member m join "user" u on u.id = m.user_id where m.account_id = a.id and u.email like $${values.push(pattern)})`;
}

/**
 * A page of accounts, newest first. Throws `invalid_value` for a cursor that is not ours,
 * `range_too_large` when the search took too long.
 */
export async function findAccounts(
  pool: Reader,
  search: AccountSearch,
): Promise<{ accounts: FoundAccount[]; nextCursor: string | null }> {
  const values: unknown[] = [PAGE + 1];
  const parts = ["true"];
  if (search.cursor !== undefined) {
    if (!/^acct_[0-9a-z-]{1,60}$/.test(search.cursor)) {
      throw invalidValue("cursor", "The cursor is invalid. Send one from a previous answer.");
    }
    parts.push(`a.id < $${values.push(search.cursor)}`);
  }
  if (search.accountId !== undefined) parts.push(`a.id = $${values.push(search.accountId)}`);
  if (search.text !== undefined) parts.push(textCondition(search.text, values));
  if (search.status !== undefined) parts.push(`a.status = $${values.push(search.status)}`);
  if (search.areOperators)
    parts.push(`exists (select from "user" u where u.account_id = a.id and u.is_operator)`);
  const { rows } = await pool
    .query<Omit<FoundAccount, Amount> & Record<Amount, string>>(
      `with page as materialized (select a.* from account a where ${parts.join(" and ")} order by a.id desc limit $1)
       select a.id, a.name, u.email, a.status, coalesce(u.is_operator, false) as "isOperator", a.created_at as "createdAt", a.own_multiplier_ppm as "multiplierPpm",
              a.group_id as "groupId", g.name as "groupName", g.multiplier_ppm as "groupPpm",
              coalesce(w.credits_posted - w.debits_posted - w.debits_pending, 0) as available, coalesce(w.debits_pending, 0) as held,
              coalesce(w.open_holds, 0) as "openHolds",
              (select coalesce(sum(d.amount), 0) from usage_of_day d
                where d.account_id = a.id and d.day > (now() at time zone 'UTC')::date - ${SPENT_DAYS}) as spent,
              greatest((select max(s.last_seen_at) from account_member m join user_session s on s.user_id = m.user_id where m.account_id = a.id),
                       (select max(k.last_used_at) from api_key k where k.account_id = a.id)) as "lastSeenAt"
         from page a left join wallet w on w.account_id = a.id left join account_group g on g.id = a.group_id
         left join lateral (select o.email, o.is_operator from account_member m join "user" o on o.id = m.user_id
                             where m.account_id = a.id and m.role = 'owner') u on true
        order by a.id desc`,
      values,
    )
    .catch((error: unknown) =>
      Promise.reject(
        rangeFailure(error, "The search took too long. Give more of the address, or an id."),
      ),
    );
  const accounts = rows.slice(0, PAGE).map((row) => ({
    ...row,
    available: BigInt(row.available),
    held: BigInt(row.held),
    spent: BigInt(row.spent),
  }));
  return { accounts, nextCursor: rows.length > PAGE ? (accounts.at(-1)?.id ?? null) : null };
}

export async function emailsOf(
  pool: Reader,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; email: string }>(
    `select m.account_id as id, u.email from account_member m join "user" u on u.id = m.user_id where m.account_id = any($1::text[]) and m.role = 'owner'`,
    [[...new Set(accountIds)]],
  );
  return new Map(rows.map(({ id, email }) => [id, email]));
}
