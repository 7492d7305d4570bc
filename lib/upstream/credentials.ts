/** Where a channel has several credentials: what a failure says of one, and which are left to try. */
import type { Channel, UpstreamFailure } from "./provider";

/** The name under which the health of a credential is known; that of the channel where it has one. */
export const credentialKey = ({ id, credential }: Channel): string =>
  credential === undefined ? id : `${id}/${credential.name}`;

/** The channel and the credential of such a name; '' for the channel as a whole. */
export function keyParts(key: string): { channelId: string; credential: string } {
  const [channelId = "", credential = ""] = key.split("/");
  return { channelId, credential };
}

/** What a failure is about: the credential, if another one may work, else the channel. */
export const failedKey = (channel: Channel, { credentialFault }: UpstreamFailure): string =>
  credentialFault === undefined ? channel.id : credentialKey(channel);

/** The whole channel, of which no credential is tried again. */
export const wholeChannel = ({ credential: _, ...channel }: Channel): Channel => channel;

/** What is not tried again for a request after its failure there. */
export const triedBy = (channel: Channel, { credentialFault }: UpstreamFailure): Channel =>
  credentialFault === undefined ? wholeChannel(channel) : channel;

/** The channels that were not tried yet, and those of which a credential was not. */
export function untriedOf(
  offered: readonly Channel[],
  tried: readonly Channel[],
): readonly Channel[] {
  if (tried.length === 0) return offered;
  return offered.flatMap((channel) => {
    const before = tried.filter(({ id }) => id === channel.id);
    if (before.length === 0) return [channel];
    const names = before.map(({ credential }) => credential?.name);
    if (names.includes(undefined)) return [];
    const choices = channel.choices?.filter(({ credential }) => !names.includes(credential?.name));
    return choices?.length ? [{ ...channel, choices }] : [];
  });
}
