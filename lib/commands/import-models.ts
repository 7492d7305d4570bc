/** Makes drafts of models that an upstream lists, and maps its channel to them. */
import { recordAction } from "../accounts/actions";
import { assertScopeOf } from "../accounts/actor-rules";
import type { Model } from "../catalog/models";
import { assertMappable } from "../channels/channel-fields";
import { channelRow } from "../channels/stored-channels";
import { inTransaction } from "../db/transaction";
import { lockModels } from "../model-book/write-models";
import { readModelFile } from "../model-file/read-model-file";
import type { CommandDeps } from "./command-deps";
import { makeDraft } from "./models";

interface Imported {
  /** As a file of `createModel`. */
  readonly content: unknown;
  readonly upstreamModel: string;
}

/** All or none. Nothing is offered. Rejects with `not_found`, or with what is wrong with a model. */
export async function importModels(
  { pool }: Pick<CommandDeps, "pool">,
  actor: string,
  { channelId, models }: { channelId: string; models: readonly Imported[] },
): Promise<Model[]> {
  const files = models.map(({ content, upstreamModel }) => ({
    file: readModelFile(content),
    upstreamModel,
  }));
  return inTransaction(pool, async (client) => {
    await assertScopeOf(client, actor, "channels:write", "What a channel is asked for");
    await lockModels(client);
    const row = await channelRow(client, channelId, "for update");
    const made: Model[] = [];
    const added: Record<string, string> = {};
    for (const { file, upstreamModel } of files) {
      assertMappable(file, upstreamModel, row);
      made.push(await makeDraft(client, actor, file));
      added[file.id] = upstreamModel;
    }
    const after = { ...row.models, ...added };
    await client.query("update channel set models = $2 where id = $1", [
      channelId,
      JSON.stringify(after),
    ]);
    const detail = { before: { models: row.models }, after: { models: after } };
    await recordAction(client, actor, "channel.change", channelId, { detail });
    return made;
  });
}
