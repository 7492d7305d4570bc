/** What the operator is told of a channel whose usage cannot be billed as it is. */
import type { Log } from "../../http/serve";
import type { Chooser } from "../../upstream/choose";
import type { Channel, UpstreamFailure } from "../../upstream/provider";

interface Operation {
  readonly id: string;
  readonly channel: Channel;
  readonly deps: { readonly chooser: Chooser; readonly log: Log };
}

const WITHOUT_USAGE =
  "the channel's answers carry no usage any more: it cooldowns; test it to find out what its upstream does now";
const OVER_BOUND =
  "the channel's usage repeatedly exceeds its bound: it cooldowns, and its holds cover the model's maximum";

/** Reports an answer without usage that can be billed. */
export function reportMissingUsage({ id, channel, deps }: Operation, fault: string): void {
  const fields = { operationId: id, channelId: channel.id };
  deps.log.error(
    { alarm: "usage_missing", fault, ...fields },
    "an answer came without usage to bill",
  );
  if (deps.chooser.reportUsage(channel, false))
    deps.log.error({ alarm: "channel_without_usage", ...fields }, WITHOUT_USAGE);
}

/** Reports that the upstream exceeded the output cap it was given. */
export function reportOverBound({ id, channel, deps }: Operation): void {
  const fields = { operationId: id, channelId: channel.id };
  deps.log.error({ alarm: "usage_over_hold", ...fields }, "usage exceeds the hold");
  if (deps.chooser.reportOverBound(channel))
    deps.log.error({ alarm: "channel_over_bound", ...fields }, OVER_BOUND);
}

/** Reports an answer that the relay ended after its client had a part of it. */
export function reportCut(
  { id, channel, deps }: Operation,
  { code, internal }: UpstreamFailure,
  isBilled: boolean,
): void {
  const fields = { operationId: id, channelId: channel.id, code, internal, isBilled };
  deps.log.warn(fields, "an answer was ended by the relay");
}
