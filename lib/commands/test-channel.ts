import { recordAction } from "../accounts/actions";
import { findModel } from "../catalog/models";
import { attemptRow, writeAttempts } from "../channels/attempt-recorder";
import { channelOf } from "../channels/channel-registry";
import { storeProfile } from "../channels/store-profile";
import { channelRow } from "../channels/stored-channels";
import { newId } from "../crypto/ids";
import { inTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import type { NoteTestCall } from "../upstream/attempt";
import { tryConformance, type Verdict } from "../upstream/conformance";
import type { Channel } from "../upstream/provider";
import type { Providers } from "../upstream/providers";
import { type Trial, tryChannel } from "../upstream/try-channel";
import type { CommandDeps } from "./command-deps";

export interface ChannelTest extends Trial {
  readonly model: string;
  readonly upstreamModel: string;
  /** False when nothing was found out, or the channel was changed during the test. */
  readonly isStored: boolean;
}

/** The channel with one of its credentials, by name. */
function withCredential(channel: Channel, name: string | undefined): Channel {
  if (name === undefined) return channel;
  const found = channel.choices?.find(({ credential }) => credential?.name === name);
  if (found !== undefined) return found;
  const names = channel.choices?.map(({ credential }) => credential?.name).join(", ");
  throw invalidValue(
    "credential",
    `${channel.name} has no credential ${name}: it has ${names ?? "only its own"}.`,
  );
}

type TestDeps = Pick<CommandDeps, "pool" | "secrets"> & { readonly providers: Providers };

/**
 * The channel as it is stored, with one of its credentials, and one of its models. Rejects with
 * `not_found` or `invalid_value`.
 */
async function readChannel(
  { pool, secrets }: Pick<CommandDeps, "pool" | "secrets">,
  input: {
    readonly id: string;
    readonly model: string;
    readonly credential?: string | undefined;
  },
) {
  const row = await channelRow(pool, input.id);
  const channel = withCredential(channelOf(row, secrets), input.credential);
  const model = findModel(input.model);
  const upstreamModel = model && channel.models[model.id];
  if (model === undefined || upstreamModel === undefined) {
    const options = Object.keys(channel.models).join(", ");
    throw new RelayError("invalid_value", {
      param: "model",
      message: `${channel.name} does not offer ${input.model}: it offers ${options}.`,
      fault: { name: "model_not_offered", options },
    });
  }
  return { row, channel, model, upstreamModel };
}

/** Notes each call of a test as an attempt for no request: the upstream's bill has it, too. */
function noted(channel: Channel, model: string) {
  const rows: ReturnType<typeof attemptRow>[] = [];
  const note: NoteTestCall = (call) =>
    void rows.push(attemptRow({ ...call, operationId: null, channel, model }));
  return { note, rows };
}

/**
 * Tries a channel for text in the situations that agents bring about; stores nothing but its calls. `isLong`: also with
 * a conversation that an upstream with a very large window would bill. Rejects as `readChannel` does.
 */
export async function conformChannel(
  deps: TestDeps,
  input: { readonly id: string; readonly model: string; readonly isLong: boolean },
): Promise<readonly Verdict[]> {
  const { channel, model, upstreamModel } = await readChannel(deps, input);
  const { note, rows } = noted(channel, model.id);
  const { isLong } = input;
  try {
    return await tryConformance(deps.providers.chat, channel, upstreamModel, { isLong, note });
  } finally {
    await writeAttempts(deps.pool, rows);
  }
}

/**
 * Tests a channel, also one that takes no new work, and stores what it finds out about an upstream of
 * text. Without a credential's name the first one is used. `isReal` orders an image or a video, which
 * may cost money; a chat test always costs some hundred tokens. No account is charged. Rejects with
 * `not_found` or `invalid_value`.
 */
export async function testChannel(
  deps: TestDeps,
  actor: string,
  input: { id: string; model: string; isReal: boolean; credential?: string | undefined },
): Promise<ChannelTest> {
  const { pool, providers } = deps;
  const { row, channel, model, upstreamModel } = await readChannel(deps, input);
  const { note, rows } = noted(channel, model.id);
  const trial = await tryChannel(providers, channel, model, {
    isReal: input.isReal,
    reference: newId("request"),
    note,
  });
  const { stage, latencyMs, failure } = trial;
  const internal = failure && { code: failure.code, internal: failure.internal.slice(0, 300) };
  const detail = {
    model: model.id,
    upstreamModel,
    baseUrl: row.base_url,
    stage,
    latencyMs,
    failure: internal,
  };
  const isStored = await inTransaction(pool, async (client) => {
    const wasStored = await storeProfile(client, row, trial.profile, model.id);
    await writeAttempts(client, rows);
    const profile = wasStored ? { profile: { ...trial.profile } } : {};
    const told = { detail: { ...detail, ...profile } };
    await recordAction(client, actor, "channel.test", channel.id, told);
    return wasStored;
  });
  return { ...trial, model: model.id, upstreamModel, isStored };
}
