/** What is read of videos and images, `t`, with their requests, keys and files. */
import { readableBy } from "../db/order-readers";
import { itemsOf } from "../results/image-results";
import { requestColumns } from "./history";

const money = requestColumns("t.created_at");
const result = `t.media_id, m.extension, m.width, m.height, m.bytes::float8 as bytes, t.result_expires_at,
  t.result_expires_at <= now() or m.deleted_at is not null as is_expired`;
const resultColumns =
  "t.id as task_id, t.operation_id, t.model as task_model, r.id is null as is_archived";
/** The request of a result may be only in an archived file. */
const joined = `left join request_known r on r.id = t.operation_id left join api_key k on k.id = r.api_key_id
  left join media m on m.id = t.media_id`;

const ordered = (apiKeyId: string) => ({
  accountId: "t.account_id",
  apiKeyId,
  userId: "(select o.user_id from playground_operation o where o.operation_id = t.operation_id)",
  model: "t.model",
});

export const families = {
  video: {
    select: `select ${resultColumns}, 'video' as task_family, t.status, t.error_code, t.spec, t.facts, null::jsonb as items, ${money}, ${result} from (select * from video_task where family = 'video') t ${joined}`,
    key: "coalesce(r.api_key_id, t.api_key_id)",
    isKeyless: "coalesce(r.api_key_id, t.api_key_id) is null",
    readable: (at: number) => readableBy(ordered("coalesce(r.api_key_id, t.api_key_id)"), at),
    states: {
      open: "t.status in ('queued', 'running')",
      succeeded: "t.status = 'succeeded'",
      failed: "t.status in ('failed', 'cancelled', 'expired')",
    },
  },
  image: {
    // The file is stored before the charge, and an image that failed has none.
    select: `select ${resultColumns}, 'image' as task_family,
                    case when r.outcome = 'settled' or r.id is null and t.media_id is not null then 'succeeded'
                         when r.outcome = 'released' or r.id is null then 'failed' else 'running' end as status,
                    case when r.outcome = 'released' then r.reason end as error_code, t.spec, null::jsonb as facts,
                    case when t.items is not null then ${itemsOf("t")} end as items, ${money}, ${result} from image_result t ${joined}`,
    key: "r.api_key_id",
    isKeyless: `(r.id is not null and r.api_key_id is null
      or r.id is null and exists (select from playground_operation p where p.operation_id = t.operation_id))`,
    readable: (at: number) => readableBy(ordered("r.api_key_id"), at),
    states: {
      open: "r.id is not null and r.outcome is null",
      succeeded: "(r.outcome = 'settled' or r.id is null and t.media_id is not null)",
      failed: "(r.outcome = 'released' or r.id is null and t.media_id is null)",
    },
  },
};
