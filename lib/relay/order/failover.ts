/** What happens after a failed attempt, in every family: try another channel, or end the order. */
import { isRelayError } from "../../failures/relay-error";
import type { Log } from "../../http/serve";
import type { Chooser } from "../../upstream/choose";
import { triedBy, wholeChannel } from "../../upstream/credentials";
import type { Channel, UpstreamFailure } from "../../upstream/provider";
import { customerError } from "./upstream-error";

const ATTEMPTS_MAX = 3;

interface FailoverDeps {
  readonly chooser: Chooser;
  readonly log: Log;
}

/** The order whose attempt failed. */
export interface Attempted {
  /** Catalogue identifier. */
  readonly model: string;
  /** Of text: the form of the answer. */
  readonly form?: "plain" | "stream";
  /** Of text: what names its conversation. */
  readonly conversation?: () => string;
  /** How the order is identified in the log. */
  readonly named: { readonly operationId: string } | { readonly taskId: string };
  /** Whether the order's hold covers its cost at `channel`. Absent when it covers every channel. */
  readonly isCovered?: (channel: Channel) => boolean;
  /** Releases the hold. */
  readonly release: () => Promise<unknown>;
}

function noteFailure(
  { chooser, log }: FailoverDeps,
  { named }: Attempted,
  channel: Channel,
  failure: UpstreamFailure,
): void {
  chooser.report(channel, failure);
  const fields = {
    ...named,
    channelId: channel.id,
    ...(channel.credential && { credential: channel.credential.name }),
    code: failure.code,
    internal: failure.internal,
  };
  if (failure.isOperatorFault) {
    log.error(
      { alarm: "upstream_account", ...fields },
      "the upstream refuses us: check the channel",
    );
  } else log.warn(fields, "an upstream attempt failed");
}

/** Picks a channel that was not tried and that the hold covers. Throws what `pick` throws. */
async function pickAnother(
  chooser: Chooser,
  { model, form, conversation, isCovered }: Attempted,
  tried: Channel[],
): Promise<Channel> {
  for (;;) {
    const channel = await chooser.pick(model, tried, form, conversation);
    if (isCovered === undefined || isCovered(channel)) return channel;
    chooser.giveBack(channel);
    tried.push(wholeChannel(channel));
  }
}

/**
 * Records a failed attempt and returns the channel for the next one. There is a next one only when
 * this attempt certainly cost nothing. Otherwise releases the hold and throws the client's error.
 * An internal error is rethrown unchanged, after the hold was released.
 */
export async function channelAfter(
  deps: FailoverDeps,
  failed: Channel,
  failure: UpstreamFailure,
  tried: Channel[],
  order: Attempted,
): Promise<Channel> {
  noteFailure(deps, order, failed, failure);
  tried.push(triedBy(failed, failure));
  if (failure.isSurelyFree && tried.length < ATTEMPTS_MAX) {
    try {
      return await pickAnother(deps.chooser, order, tried);
    } catch (error) {
      if (!isRelayError(error)) {
        await order.release();
        throw error;
      }
    }
  }
  await order.release();
  throw customerError(failure);
}
