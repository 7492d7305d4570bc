import { recordAction } from "../accounts/actions";
import { assertMappable, noModelsLeft } from "../channels/channel-fields";
import { channelRow } from "../channels/stored-channels";
import { inTransaction } from "../db/transaction";
import type { CommandDeps } from "./command-deps";
import { modelRow } from "./models";

/**
 * Maps one model of a channel to the upstream's name for it, or takes the model from the channel
 * where `upstreamModel` is null; the channel's other models stay. Rejects with `model_not_found`,
 * `not_found`, or `invalid_value` for a name or a family that the channel cannot have.
 */
export async function mapModel(
  { pool }: Pick<CommandDeps, "pool">,
  actor: string,
  { id, channelId, upstreamModel }: { id: string; channelId: string; upstreamModel: string | null },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const model = await modelRow(client, id);
    const row = await channelRow(client, channelId, "for update");
    const { [model.id]: before, ...others } = row.models;
    if (before === (upstreamModel ?? undefined)) return;
    if (upstreamModel !== null) assertMappable(model, upstreamModel, row);
    const after = upstreamModel === null ? others : { ...others, [model.id]: upstreamModel };
    if (Object.keys(after).length === 0) throw noModelsLeft();
    await client.query("update channel set models = $2 where id = $1", [
      channelId,
      JSON.stringify(after),
    ]);
    const detail = { before: { models: row.models }, after: { models: after } };
    await recordAction(client, actor, "channel.change", channelId, { detail });
  });
}
