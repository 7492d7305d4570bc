/**
 * What a user did in the playground, encrypted, for this user alone and as long as the user is a
 * member of the account. A session that cannot be decrypted is none.
 */
import type pg from "pg";
import { STUDIO_SESSIONS_BYTES_MAX, STUDIO_SESSIONS_MAX } from "../contract/limits";
import type { Family } from "../contract/states";
import type { StudioSessionKept } from "../contract/studio-sessions";
import { seal, unseal } from "../crypto/seal";
import type { Secrets } from "../crypto/secrets";
import { AccountKeys, fittingKey } from "../stored-responses/account-key";
import { nextTurn } from "../timing/next-turn";
import { openedAnswers, type SealedAnswer, type StudioAnswer } from "./studio-answers";

/** After this many bytes are decrypted, other requests get their turn. */
const TURN_BYTES = 512 * 1024;

interface Deps {
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
}

interface Owner {
  readonly accountId: string;
  readonly userId: string;
}

interface ListedSession {
  readonly id: string;
  readonly kind: Family;
  readonly title: string;
  readonly updatedAt: Date;
  readonly isAwaited: boolean;
}

interface FoundSession extends Omit<ListedSession, "isAwaited"> {
  readonly revision: number;
  readonly content: string;
  readonly answers: StudioAnswer[];
}

type Part = "title" | "content";
const boundTo = (id: string, part: Part) => `studio ${id} ${part}`;

/** A session is written whole, unless another page has written it since. */
const upsert = `
with kept as (
  insert into studio_session as s (id, account_id, user_id, kind, title, content)
  select $1, a.id, m.user_id, $4, $5::bytea, $6::bytea
    from account a join account_member m on m.account_id = a.id and m.user_id = $3
   where a.id = $2 and a.status <> 'closed' and a.keeps_sessions
     and ($7 = 0 or exists (select from studio_session where id = $1))
     for share
  on conflict (id) do update
    set title = excluded.title, content = excluded.content, revision = s.revision + 1, updated_at = now()
    where s.account_id = $2 and s.user_id = $3 and s.revision = $7
  returning s.id, s.revision),
gone as (
  delete from studio_answer w using kept where w.session_id = kept.id and w.order_key <> all($8::text[])),
awaited as (
  insert into studio_answer (session_id, order_key, account_id, user_id)
  select kept.id, k.key, $2, $3 from kept cross join unnest($8::text[]) k(key)
  on conflict do nothing)
select revision from kept`;

/** The user's oldest sessions leave, above the most of them and of their bytes. */
const prune = `
delete from studio_session where id in (
  select id from (
    select id, row_number() over newest as place, sum(bytes) over newest as total
      from studio_session where account_id = $1 and user_id = $2
    window newest as (order by updated_at desc, id desc)) aged
   where place > $3 or total > $4)`;

/** Returns its revision; null where another page has changed it, or where none is kept. */
export async function keepSession(
  { pool, secrets }: Deps,
  { accountId, userId }: Owner,
  { id, kind, revision, title, content, awaited }: StudioSessionKept & { readonly id: string },
): Promise<number | null> {
  const key = await new AccountKeys(pool, secrets).keyOf(accountId);
  if (key === null) return null;
  const sealed = (part: Part, text: string) => seal(key, boundTo(id, part), text);
  const parts = [sealed("title", title), sealed("content", content)];
  const values = [id, accountId, userId, kind, ...parts, revision, [...new Set(awaited)]];
  const { rows } = await pool.query<{ revision: number }>(upsert, values);
  const [kept] = rows;
  if (kept === undefined) return null;
  await pool.query(prune, [accountId, userId, STUDIO_SESSIONS_MAX, STUDIO_SESSIONS_BYTES_MAX]);
  return kept.revision;
}

interface SealedRow {
  readonly id: string;
  readonly kind: Family;
  readonly revision: number;
  readonly title: Buffer;
  readonly content: Buffer | null;
  readonly updatedAt: Date;
  readonly isAwaited: boolean;
  readonly key: Buffer;
}

const columns = (content: string) => `
select s.id, s.kind, s.revision, s.title, ${content} as content, s.updated_at as "updatedAt", r.sealed_key as key,
       exists (select from studio_answer w where w.session_id = s.id) as "isAwaited"
  from studio_session s join response_account r using (account_id)
 where s.account_id = $1 and s.user_id = $2`;

function openedPart(row: SealedRow, key: Buffer, part: Part): string | null {
  const sealed = row[part];
  try {
    return sealed && unseal(key, boundTo(row.id, part), sealed);
  } catch {
    return null;
  }
}

const hasWords = (text: string, words: readonly string[]) => {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
};

/** The user's sessions, the newest first. */
export async function listSessions(
  { pool, secrets }: Deps,
  { accountId, userId }: Owner,
  {
    kind = null,
    search = "",
  }: { readonly kind?: Family | undefined | null; readonly search?: string | undefined },
): Promise<ListedSession[]> {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const content = words.length > 0 ? "s.content" : "null::bytea";
  const { rows } = await pool.query<SealedRow>(
    `${columns(content)} and ($3::text is null or s.kind = $3)
      order by s.updated_at desc, s.id desc limit $4`,
    [accountId, userId, kind, STUDIO_SESSIONS_MAX],
  );
  const key = rows[0] ? fittingKey(secrets, accountId, rows[0].key) : null;
  if (key === null) return [];
  const listed: ListedSession[] = [];
  let sinceTurn = 0;
  for (const row of rows) {
    const title = openedPart(row, key, "title");
    if (title === null) continue;
    if (words.length > 0 && !hasWords(`${title} ${openedPart(row, key, "content")}`, words))
      continue;
    const { id, updatedAt, isAwaited } = row;
    listed.push({ id, kind: row.kind, title, updatedAt, isAwaited });
    sinceTurn += row.content?.length ?? 0;
    if (sinceTurn < TURN_BYTES) continue;
    sinceTurn = 0;
    await nextTurn();
  }
  return listed;
}

/** Null where the user has none of this id. */
export async function findSession(
  { pool, secrets }: Deps,
  { accountId, userId }: Owner,
  id: string,
): Promise<FoundSession | null> {
  const { rows } = await pool.query<SealedRow>(`${columns("s.content")} and s.id = $3`, [
    accountId,
    userId,
    id,
  ]);
  const [row] = rows;
  const key = row ? fittingKey(secrets, accountId, row.key) : null;
  if (row === undefined || key === null) return null;
  const [title, content] = [openedPart(row, key, "title"), openedPart(row, key, "content")];
  if (title === null || content === null) return null;
  const answers = await pool.query<SealedAnswer>(
    `select order_key as "orderKey", request_id as "requestId", answer from studio_answer
      where session_id = $1 and answer is not null`,
    [id],
  );
  const { kind, revision, updatedAt } = row;
  return {
    id,
    kind,
    title,
    content,
    revision,
    updatedAt,
    answers: openedAnswers(key, userId, answers.rows),
  };
}

/** Returns whether there was one. */
export async function removeSession(
  pool: pg.Pool,
  { accountId, userId }: Owner,
  id: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    "delete from studio_session where id = $1 and account_id = $2 and user_id = $3",
    [id, accountId, userId],
  );
  return (rowCount ?? 0) > 0;
}
