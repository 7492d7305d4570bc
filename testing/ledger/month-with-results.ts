/** Videos and images in a month of a history, as media orders leave them. */
import type pg from "pg";
import { newId, newOperationId, timeOfOperation } from "@/lib/crypto/ids";
import { onlyRow } from "@/lib/db/only-row";
import { transact } from "@/lib/db/transaction";
import type { Month } from "@/lib/ledger/archive/archive-register";
import { countAll } from "@/lib/ledger/usage/usage-counter";

export interface MadeResult {
  /** A video's task id, or an image's request id. */
  readonly id: string;
  readonly operationId: string;
  readonly requestId: string;
}

interface Wanted {
  readonly family: "video" | "image";
  readonly hasKey: boolean;
}

/** A charged request of the month, which gets a request id as answers have it. */
async function chargedRequest(
  owner: pg.ClientBase,
  month: Month,
  accountId: string,
  { family, hasKey }: Wanted,
): Promise<MadeResult> {
  const { id } = onlyRow(
    await owner.query<{ id: string }>(
      `select id from request where outcome = 'settled' and amount > 10
          and id >= $1 and id < $2 and account_id = $3 and family = $4 and (api_key_id is not null) = $5
        order by id offset 1 limit 1`,
      [month.starts, month.below, accountId, family, hasKey],
    ),
  );
  const requestId = newId("request", timeOfOperation(id));
  await owner.query("update request set request_id = $1 where id = $2", [requestId, id]);
  return resultOf(family, id, requestId);
}

const resultOf = (
  family: Wanted["family"],
  operationId: string,
  requestId: string,
): MadeResult => ({
  id: family === "image" ? requestId : newId("task", timeOfOperation(operationId)),
  operationId,
  requestId,
});

/** A request like another one, a second later, which was not charged. */
async function releasedLike(
  owner: pg.ClientBase,
  like: MadeResult,
  family: Wanted["family"],
): Promise<MadeResult> {
  const at = timeOfOperation(like.operationId) + 1000;
  const [id, requestId] = [newOperationId(at), newId("request", at)];
  await owner.query(
    `insert into request select (jsonb_populate_record(r, jsonb_build_object('id', $2::uuid, 'request_id', $3::text, 'outcome', 'released',
         'amount', 0, 'input_tokens', null, 'output_tokens', null, 'usage', null, 'reason', 'upstream_failed'))).*
       from request r where r.id = $1`,
    [like.operationId, id, requestId],
  );
  await owner.query(
    "insert into usage_waiting (operation_id, account_id) select id, account_id from request where id = $1",
    [id],
  );
  return resultOf(family, id, requestId);
}

async function writeVideo(owner: pg.ClientBase, { id, operationId }: MadeResult): Promise<void> {
  await owner.query(
    `insert into video_task (id, operation_id, account_id, api_key_id, model, model_named, spec, status, error_code, media_id, result_expires_at,
                             output_tokens, created_at, updated_at, ended_at, settings_removed_at)
       select $1, id, account_id, api_key_id, model, model, '{"resolution": "720p", "durationSeconds": 5}',
              case outcome when 'settled' then 'succeeded' else 'failed' end, case when outcome = 'released' then reason end,
              case when outcome = 'settled' then $1 end, case when outcome = 'settled' then ended_at + interval '1 day' end,
              output_tokens, created_at, ended_at, ended_at, ended_at
         from request where id = $2`,
    [id, operationId],
  );
}

async function writeImage(owner: pg.ClientBase, { id, operationId }: MadeResult): Promise<void> {
  await owner.query(
    `insert into image_result (id, operation_id, account_id, model, spec, media_id, result_expires_at, created_at, settings_removed_at)
       select $1, id, account_id, model, '{"width": 1024, "height": 1024}', case when outcome = 'settled' then $1 end,
              case when outcome = 'settled' then ended_at + interval '1 day' end, created_at, ended_at
         from request where id = $2`,
    [id, operationId],
  );
}

export type MonthsResults = Awaited<ReturnType<typeof makeResults>>;

/**
 * Results of an account in a month that is not sealed yet. The last image was made in the playground
 * by the user.
 */
export async function makeResults(
  owner: pg.ClientBase,
  { month, accountId, userId }: { month: Month; accountId: string; userId: string },
) {
  const made = await transact(owner, async () => {
    await owner.query("set local session_replication_role = replica");
    const charged = (wanted: Wanted) => chargedRequest(owner, month, accountId, wanted);
    const video = await charged({ family: "video", hasKey: true });
    const image = await charged({ family: "image", hasKey: true });
    const played = await charged({ family: "image", hasKey: false });
    const failedVideo = await releasedLike(owner, video, "video");
    const failedImage = await releasedLike(owner, image, "image");
    for (const each of [video, failedVideo]) await writeVideo(owner, each);
    for (const each of [image, failedImage, played]) await writeImage(owner, each);
    await owner.query(
      `insert into playground_operation (operation_id, account_id, user_id, created_at)
         select id, account_id, $2, created_at from request where id = $1`,
      [played.operationId, userId],
    );
    return { video, failedVideo, image, failedImage, played };
  });
  await countAll(owner);
  return made;
}
