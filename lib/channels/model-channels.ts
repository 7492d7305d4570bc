/** The channels that map a model, and how their tests with it ended. */
import type { ChannelState } from "../contract/states";
import type { Reader } from "../db/pool";

/** A channel that maps a model. */
export interface ModelChannel {
  readonly id: string;
  readonly name: string;
  readonly upstreamModel: string;
  readonly state: ChannelState;
  /** Of the newest test with the channel's address, key and name for the model. */
  readonly testedAt: Date | null;
  readonly testWorked: boolean;
}

const channels = `select c.id, c.name, c.models ->> $1 as "upstreamModel",
    case when c.is_enabled then 'active' when c.draining_since is null then 'disabled' else 'draining' end as state,
    test.at as "testedAt", coalesce(test.worked, false) as "testWorked"
  from channel c
  left join lateral (
    select a.at, a.detail ->> 'failure' is null and a.detail ->> 'stage' in ('answered', 'accepted') as worked
      from operator_action a
     where a.subject = c.id and a.action = 'channel.test' and a.detail ->> 'model' = $1
       and a.detail ->> 'baseUrl' = c.base_url and a.detail ->> 'upstreamModel' = c.models ->> $1
       and a.detail ->> 'stage' <> 'reached'
       and a.at >= coalesce(c.credential_set_at, '-infinity')
     order by a.seq desc limit 1
  ) test on true
  where c.models ? $1 and c.archived_at is null
  order by c.priority desc, c.created_at`;

/** All channels that map the model, in the order in which they are tried. */
export async function readModelChannels(queries: Reader, model: string): Promise<ModelChannel[]> {
  return (await queries.query<ModelChannel>(channels, [model])).rows;
}
