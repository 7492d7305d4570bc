import type { ChooserDeps } from "@/lib/upstream/choose";
import type { Channel } from "@/lib/upstream/provider";

/** Remembers what a channel cannot read, as a process does that reads the channels again. */
export const rememberIn =
  (setting: { channels: readonly Channel[] }): NonNullable<ChooserDeps["remember"]> =>
  (channel, model, { unread, cap }) => {
    const reads = { [model]: Object.fromEntries(unread.map((name) => [name, false])) };
    const caps = cap === null ? {} : { caps: { [model]: cap } };
    setting.channels = setting.channels.map((each) =>
      each.id === channel.id ? { ...each, profile: { ...channel.profile, reads, ...caps } } : each,
    );
  };
