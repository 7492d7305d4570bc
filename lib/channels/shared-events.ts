/**
 * Passes on to all other processes what happens at channels, over the database's notifications. One
 * that is lost does no harm: each process also learns from its own requests.
 */
import type pg from "pg";
import { type ChannelEvent, channelEvents, type ToldHealth } from "../cluster/channel-news";
import type { Changes } from "../db/changes";
import { PROCESS_LIVES_SECONDS } from "./health-recorder";

const WAITING_MAX = 1000;
const RESTS_MAX = 1000;
const NEWS = "channel_news";

/** Each is its own: PostgreSQL sends equal notifications of one commit once. */
const notify = "select pg_notify('relay_change', text) from unnest($1::text[]) as text";

interface Sharing {
  readonly pool: { query(text: string, values: [string[]]): Promise<unknown> };
  readonly changes: Pick<Changes, "subscribe">;
  /** The sender: its own notifications are not for itself. */
  readonly nodeId: string;
}

export interface SharedEvents {
  /** Never waits, never throws. */
  tell(event: ChannelEvent): void;
  /** Calls `listener` for what other processes tell. Returns the function that unsubscribes. */
  hear(listener: (event: ChannelEvent) => void): () => void;
}

export function shareChannelEvents({ pool, changes, nodeId }: Sharing): SharedEvents {
  let waiting: string[] = [];
  let count = 0;
  let isSending = false;

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (waiting.length > 0) {
      const sent = waiting;
      waiting = [];
      await pool.query(notify, [sent]).catch(() => {});
    }
    isSending = false;
  }

  return {
    tell({ channelId, what, waitSeconds }) {
      if (waiting.length >= WAITING_MAX) return;
      const wait = waitSeconds === undefined ? "" : ` ${waitSeconds}`;
      waiting.push(`${NEWS}:${nodeId} ${++count} ${what} ${channelId}${wait}`);
      void send();
    },
    hear: (listener) =>
      changes.subscribe(NEWS, (text) => {
        const [sender, , word, channelId, wait] = (text ?? "").split(" ");
        const what = channelEvents.find((each) => each === word);
        if (sender === nodeId || what === undefined || channelId === undefined) return;
        const waitSeconds = wait === undefined ? undefined : Number(wait) || undefined;
        listener({ channelId, what, waitSeconds });
      }),
  };
}

const restsQuery = `
  select channel_id, extract(epoch from max(rests_until) - now())::float8 * 1000 as rest_ms
    from channel_process
   where rests_until > now() and noted_at > now() - make_interval(secs => ${PROCESS_LIVES_SECONDS})
   group by channel_id limit ${RESTS_MAX}`;

/** The channels that rest now, as any live process noted, for one that starts. */
export async function presentRests(pool: Pick<pg.Pool, "query">): Promise<ToldHealth[]> {
  const { rows } = await pool.query<{ channel_id: string; rest_ms: number }>(restsQuery);
  return rows.map(({ channel_id, rest_ms }) => ({
    channelId: channel_id,
    cooldowns: 1,
    usageFaults: 0,
    overBounds: 0,
    cooldownMs: rest_ms,
    usageRestMs: 0,
    overBoundRestMs: 0,
    overBoundAgeMs: 0,
  }));
}
