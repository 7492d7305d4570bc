/** The further credentials of a channel, which share its requests. */
import { findChannel } from "@/lib/channels/stored-channels";
import { changeChannel } from "@/lib/commands/channels";
import { channelsText, view } from "./channel-view";
import { actor, type Command, type Flags, UsageError } from "./command";
import type { OpenInstallation } from "./open";

interface Named {
  readonly name: string;
  readonly weight?: number | undefined;
  readonly apiKey?: string | undefined;
}

async function replace(
  { database, secrets }: OpenInstallation,
  flags: Flags,
  credentialsAfter: (before: Named[]) => Named[],
) {
  const id = flags.text("id");
  const { credentials: before } = await findChannel(database, id);
  const credentials = credentialsAfter(before.map(({ name, weight }) => ({ name, weight })));
  const deps = { database, secrets: secrets() };
  const channel = view(await changeChannel(deps, actor, { id, credentials }));
  return { json: { channel }, text: channelsText([channel]) };
}

const setCredential: Command = {
  usage:
    "--id C --name N [--weight N] [--api-key -]   (adds a credential, or changes one; the key comes from\n      standard input; it shares the requests with the channel's own, whose share is --credential-weight)",
  unshown: { "api-key-stdin": "boolean" },
  async run(installation, flags) {
    const name = flags.text("name");
    const apiKey = (await flags.secret("api-key", null)) ?? undefined;
    const given = { name, weight: flags.whole("weight"), apiKey };
    return replace(installation, flags, (before) => {
      const place = before.findIndex((each) => each.name === name);
      return place === -1 ? [...before, given] : before.with(place, given);
    });
  },
};

const removeCredential: Command = {
  usage: "--id C --name N   (the channel's own is replaced or removed by edit)",
  run(installation, flags) {
    const name = flags.text("name");
    return replace(installation, flags, (before) => {
      const after = before.filter((each) => each.name !== name);
      if (after.length === before.length) {
        const names = before.map((each) => each.name).join(", ") || "none";
        throw new UsageError(
          `--name ${name} is no further credential of the channel: it has ${names}`,
        );
      }
      return after;
    });
  },
};

export const credentialCommands = {
  "set-credential": setCredential,
  "remove-credential": removeCredential,
} satisfies Record<string, Command>;
