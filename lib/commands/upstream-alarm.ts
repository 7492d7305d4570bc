/** The amount at an upstream below which operators are told. */
import { recordAction } from "../accounts/actions";
import { channelRow } from "../channels/stored-channels";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { formatPoints } from "../money/points";
import type { CommandDeps } from "./command-deps";

const BELOW_MAX = 1_000_000_000_000_000n;

const alarmOf = (below: bigint | null) => (below === null ? null : formatPoints(below));

/**
 * Sets the amount, in millionths of the upstream's currency; null for no alarm. The balance is read again
 * at once, by which it counts. Rejects with `not_found`, `invalid_value`.
 */
export async function setUpstreamAlarm(
  { pool }: Pick<CommandDeps, "pool">,
  actor: string,
  { channelId, below }: { channelId: string; below: bigint | null },
): Promise<void> {
  if (below !== null && (below <= 0n || below > BELOW_MAX))
    throw new RelayError("invalid_value", {
      param: "below",
      message: `below is ${formatPoints(below)}: it must be above 0 and at most ${formatPoints(BELOW_MAX)}.`,
    });
  await inTransaction(pool, async (client) => {
    await channelRow(client, channelId, "for share");
    const { rows } = await client.query<{ before: string | null }>(
      `with before as (select alarm_below from upstream_balance where channel_id = $1 and credential = '')
       insert into upstream_balance (channel_id, alarm_below) values ($1, $2)
       on conflict (channel_id, credential) do update set alarm_below = excluded.alarm_below
       returning (select alarm_below::text from before) as before`,
      [channelId, below?.toString() ?? null],
    );
    await client.query("update upstream_balance set next_at = now() where channel_id = $1", [
      channelId,
    ]);
    const before = rows[0]?.before ?? null;
    const detail = {
      before: alarmOf(before === null ? null : BigInt(before)),
      after: alarmOf(below),
    };
    await recordAction(client, actor, "upstream.alarm", channelId, { detail });
  });
}
