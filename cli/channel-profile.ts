/** What is known of a channel's upstream, in words. */
import {
  type ChannelProfile,
  profileParts,
  type Reading,
  readings,
} from "@/lib/contract/channel-profile";
import { isKeyOf } from "@/lib/values/records";
import en from "@/messages/en.json" with { type: "json" };
import { table } from "./table";

const wordOf = (found: boolean | undefined) =>
  found === undefined ? "unknown" : found ? "yes" : "no";

/** By the names in which the product writes JSON: yes, no, or unknown. */
export const profileOf = (profile: ChannelProfile | null) =>
  profile &&
  Object.fromEntries(
    profileParts.map((part) => [
      part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      wordOf(profile[part]),
    ]),
  );

/** What of a request each model's upstream reads, as far as it is known. */
export const readsOf = (profile: ChannelProfile | null) =>
  Object.entries(profile?.reads ?? {}).flatMap(([model, reads]) => {
    const of = (isRead: boolean) => readings.filter((name) => reads[name] === isRead);
    return of(true).length + of(false).length === 0
      ? []
      : [{ model, reads: of(true), reads_not: of(false) }];
  });

const { unread, unreadField } = en.operator.channels;
const inWords = (name: Reading): string =>
  isKeyOf(unread, name) ? unread[name] : unreadField.replace("{name}", name);

export const readsText = (profile: ChannelProfile | null) =>
  readsOf(profile).map(({ model, reads, reads_not }) =>
    [
      table([{ model, reads: reads.join(","), "reads not": reads_not.join(",") }]),
      ...reads_not.map((name) => `  ${inWords(name)}`),
    ].join("\n"),
  );
