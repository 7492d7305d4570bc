import { noteMoved } from "../commands/note-moved";
import { KEYS_PER_ACCOUNT_MAX } from "../contract/limits";
import { transact } from "../db/transaction";
import { setMovedBudgets } from "../ledger/core/moved-balances";
import { rememberMoved } from "./book";
import type { ImportContext } from "./context";
import { isKeyOn, keyInput, type MovedKey } from "./key-input";
import { type SourceRow, text } from "./sources/source";
import { StillOn } from "./still-on";

/** What is there already, which a key must not exceed or repeat. */
interface There {
  /** By the hash in base64. */
  readonly hashes: Set<string>;
  readonly inUse: Map<string, number>;
}

async function readThere({ client }: ImportContext, keys: readonly MovedKey[]): Promise<There> {
  const hashes = await client.query<{ hash: string }>(
    "select encode(key_hash, 'base64') as hash from api_key where key_hash = any($1::bytea[])",
    [keys.map(({ hash }) => Buffer.from(hash, "base64"))],
  );
  const counts = await client.query<{ id: string; keys: number }>(
    "select account_id as id, count(*)::integer as keys from api_key where account_id = any($1) and revoked_at is null group by 1",
    [keys.map(({ accountId }) => accountId)],
  );
  return {
    hashes: new Set(hashes.rows.map(({ hash }) => hash)),
    inUse: new Map(counts.rows.map(({ id, keys: inUse }) => [id, inUse])),
  };
}

async function writeKeys(context: ImportContext, keys: readonly MovedKey[]): Promise<void> {
  const { client, source, actor, keyRequestsPerMinute } = context;
  const column = <Value>(of: (key: MovedKey) => Value) => keys.map(of);
  await client.query(
    `insert into api_key (id, account_id, name, key_hash, hint, models, allowed_addresses,
                          created_at, last_used_at, expires_at, paused_at, paused_spend,
                          requests_per_minute)
     select id, account, name, decode(hash, 'base64'), hint,
            array(select json_array_elements_text(models)), array(select json_array_elements_text(addresses)),
            made, used, ends, case when off then now() end, case when off then 0 end, $12
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::json[], $7::json[],
                   $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::boolean[])
            k(id, account, name, hash, hint, models, addresses, made, used, ends, off)`,
    [
      column(({ id }) => id),
      column(({ accountId }) => accountId),
      column(({ name }) => name),
      column(({ hash }) => hash),
      column(({ hint }) => hint),
      column(({ models }) => JSON.stringify(models)),
      column(({ addresses }) => JSON.stringify(addresses)),
      column(({ createdAt }) => createdAt),
      column(({ usedAt }) => usedAt),
      column(({ expiresAt }) => expiresAt),
      column(({ isPaused }) => isPaused),
      keyRequestsPerMinute,
    ],
  );
  await setMovedBudgets(
    client,
    keys.flatMap(({ id, accountId, budget }) =>
      budget === null ? [] : [{ apiKeyId: id, accountId, budget }],
    ),
  );
  const rows = keys.map(({ foreignId, id }) => ({ foreignId, targetId: id }));
  await rememberMoved(client, source.name, "key", rows);
  await noteMoved(client, actor, { source: source.name, what: "keys", count: keys.length });
}

/** The keys of a batch that may be made, each once. */
async function decide(context: ImportContext, rows: readonly SourceRow[]): Promise<MovedKey[]> {
  const { report, moved, source } = context;
  const wanted = rows.flatMap((row) => {
    const label = `${text(row, "id")} ${text(row, "name")}`;
    const within = { ...moved, quotaPerPoint: source.quotaPerPoint };
    const remark = (reason: string) => report.remark("keys", label, reason);
    const key = keyInput(row, { ...within, remark });
    if (typeof key !== "string") return [key];
    report.leave("keys", label, key);
    return [];
  });
  const there = await readThere(context, wanted);
  return wanted.filter(({ foreignId, name, hash, accountId }) => {
    const inUse = there.inUse.get(accountId) ?? 0;
    const reason = there.hashes.has(hash)
      ? "there is such a key here already"
      : inUse >= KEYS_PER_ACCOUNT_MAX
        ? `its account has ${KEYS_PER_ACCOUNT_MAX} keys in use, which is the most`
        : null;
    if (reason !== null) report.leave("keys", `${foreignId} ${name}`, reason);
    there.hashes.add(hash);
    there.inUse.set(accountId, inUse + 1);
    return reason === null;
  });
}

/** Takes over the keys, of which only the hashes are stored. */
export async function moveKeys(context: ImportContext): Promise<void> {
  const { client, from, report, moved, isDry } = context;
  const stillOn = new StillOn("keys", moved.keys, isKeyOn);
  for await (const rows of from.rows("tokens")) {
    stillOn.see(rows);
    report.counts.keys.found += rows.length;
    const fresh = rows.filter((row) => !moved.keys.has(text(row, "id")));
    report.counts.keys.known += rows.length - fresh.length;
    const keys = await decide(context, fresh);
    if (!isDry && keys.length > 0) await transact(client, () => writeKeys(context, keys));
    for (const { foreignId, id } of keys) moved.keys.set(foreignId, id);
    report.took("keys", { count: keys.length });
    report.progress("keys");
  }
  await stillOn.tell(context);
}
