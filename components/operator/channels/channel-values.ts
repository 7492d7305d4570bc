import type { ChannelView } from "@/lib/contract/operator-channels";

type Attempts = ChannelView["health"]["last15Minutes"];

/** The share that succeeded; null without attempts. */
export const successOf = ({ succeeded, failed }: Attempts): number | null =>
  succeeded + failed === 0 ? null : succeeded / (succeeded + failed);

/** By what a table of channels can be sorted. */
export const channelValues = {
  name: ({ name }: ChannelView) => name,
  model: ({ models }: ChannelView) => Object.keys(models)[0] ?? null,
  minutes15: ({ health }: ChannelView) => successOf(health.last15Minutes),
  hours24: ({ health }: ChannelView) => successOf(health.last24Hours),
  median: ({ health }: ChannelView) => health.latencyMedianMs,
  p95: ({ health }: ChannelView) => health.latency95Ms,
  running: ({ health }: ChannelView) => health.inFlight + health.openTasks,
  order: ({ priority, weight }: ChannelView) => priority * 1000 + weight,
  state: ({ state }: ChannelView) => state,
};
