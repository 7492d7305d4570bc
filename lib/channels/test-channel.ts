import type pg from "pg";
import { recordAction } from "../accounts/actions";
import { findModel } from "../catalog/models";
import type { Database } from "../db/client";
import { RelayError } from "../errors";
import { newId } from "../ids";
import type { Secrets } from "../secrets";
import type { Providers } from "../upstream/providers";
import { type Trial, tryChannel } from "../upstream/try-channel";
import { type ChannelRow, channelOf } from "./channel-book";

export interface TestParts {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
  readonly providers: Providers;
}

export interface ChannelTest extends Trial {
  readonly model: string;
  readonly upstreamModel: string;
}

/**
 * Asks the channel's upstream, also one that takes no work. `isReal` orders an image or a video, which may cost; text
 * always costs a few tokens. No account's points are touched. Rejects with `not_found` or `invalid_value`.
 */
export async function testChannel(
  { database, pool, secrets, providers }: TestParts,
  request: { id: string; model: string; isReal: boolean; actor: string },
): Promise<ChannelTest> {
  const { rows } = await pool.query<ChannelRow>("select * from channel where id = $1 and archived_at is null", [request.id]);
  if (rows[0] === undefined) throw new RelayError("not_found", { message: `There is no channel ${request.id}.` });
  const channel = channelOf(rows[0], secrets);
  const model = findModel(request.model);
  const upstreamModel = model && channel.models[model.id];
  if (model === undefined || upstreamModel === undefined) {
    const message = `${channel.name} does not offer ${request.model}: it offers ${Object.keys(channel.models).join(", ")}.`;
    throw new RelayError("invalid_value", { param: "model", message });
  }
  const trial = await tryChannel(providers, channel, model, { isReal: request.isReal, reference: newId("request") });
  const { stage, latencyMs, failure } = trial;
  await recordAction(database, {
    actor: request.actor,
    action: "channel.test",
    subject: channel.id,
    detail: { model: model.id, stage, latencyMs, failure: failure && { code: failure.code, internal: failure.internal.slice(0, 300) } },
  });
  return { ...trial, model: model.id, upstreamModel };
}
