/** What follows a failed attempt, the same in every family: another channel, or the end of the order. */
import { isRelayError } from "../../errors";
import type { Log } from "../../http/serve";
import type { Chooser } from "../../upstream/choose";
import type { Channel, UpstreamFailure } from "../../upstream/provider";
import { customerError } from "./upstream-error";

const ATTEMPTS_MAX = 3;

interface FailoverParts {
  readonly chooser: Chooser;
  readonly log: Log;
}

/** An order whose attempt failed, as its family has it. */
export interface Attempted {
  /** Catalogue identifier. */
  readonly model: string;
  /** The order's name in the log. */
  readonly named: { readonly operationId: string } | { readonly taskId: string };
  /** Whether the order's hold covers what it may cost at `channel`; absent: at every channel. */
  readonly isCovered?: (channel: Channel) => boolean;
  /** Gives the points back. */
  readonly release: () => Promise<unknown>;
}

function noteFailure({ chooser, log }: FailoverParts, { named }: Attempted, channel: Channel, failure: UpstreamFailure): void {
  chooser.report(channel, failure);
  const fields = { ...named, channelId: channel.id, code: failure.code, internal: failure.internal };
  if (failure.isOperatorFault) {
    log.error({ alarm: "upstream_account", ...fields }, "the upstream refuses us: check the channel");
  } else log.warn(fields, "an upstream attempt failed");
}

/** A channel that was not tried and that the hold covers. Throws what `pick` throws. */
async function pickAnother(chooser: Chooser, { model, isCovered }: Attempted, tried: Channel[]): Promise<Channel> {
  for (;;) {
    const channel = await chooser.pick(model, tried);
    if (isCovered === undefined || isCovered(channel)) return channel;
    chooser.giveBack(channel);
    tried.push(channel);
  }
}

/**
 * Notes a failed attempt and answers the channel for the next one, which there is only where this one surely cost nothing.
 * Otherwise gives the points back and throws what the customer is told. A fault of our own is thrown as it is, after the
 * points were given back.
 */
export async function channelAfter(
  parts: FailoverParts,
  failed: Channel,
  failure: UpstreamFailure,
  tried: Channel[],
  order: Attempted,
): Promise<Channel> {
  noteFailure(parts, order, failed, failure);
  tried.push(failed);
  if (failure.isSurelyFree && tried.length < ATTEMPTS_MAX) {
    try {
      return await pickAnother(parts.chooser, order, tried);
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
