import { createChannel, setChannelState } from "../commands/channels";
import { isRelayError } from "../failures/relay-error";
import { readMoved } from "./book";
import { channelInput, groupsOf, type MovedChannel } from "./channel-input";
import type { ImportContext } from "./context";
import { text } from "./sources/source";

/** What the channels say about the rest. */
export interface Supply {
  /** Our models that a channel serves which moved. */
  readonly served: Set<string>;
  /** Our models that each of the source's groups may use. */
  readonly seenBy: Map<string, Set<string>>;
}

type Wanted = Exclude<MovedChannel, { refusal: string }>;

async function makeChannel(context: ImportContext, id: string, wanted: Wanted): Promise<void> {
  const { deps, actor, source } = context;
  const made = await createChannel(deps, actor, wanted.channel, async (transaction, targetId) => {
    await transaction.importRow.create({
      data: { source: source.name, kind: "channel", foreignId: id, targetId },
      select: { kind: true },
    });
    // In one commit with the rest: a channel that is off there must not serve anything here.
    if (!wanted.isEnabled)
      await transaction.channel.updateMany({ where: { id: targetId }, data: { isEnabled: false } });
  });
  if (!wanted.isEnabled) await setChannelState(deps, actor, { id: made.id, state: "disabled" });
}

/** Takes over the channels with their credentials, encrypted as ours are. */
export async function moveChannels(context: ImportContext): Promise<Supply> {
  const { report, client, deps, source, from, moved, isDry } = context;
  const known = await readMoved(client, source.name, "channel");
  const taken = new Set(
    (
      await deps.database.channel.findMany({ where: { archivedAt: null }, select: { name: true } })
    ).map(({ name }) => name),
  );
  const supply: Supply = { served: new Set(), seenBy: new Map() };
  for await (const rows of from.rows("channels")) {
    for (const row of rows) {
      report.counts.channels.found++;
      const [id, label] = [text(row, "id"), `${text(row, "id")} ${text(row, "name")}`];
      const wanted = channelInput(row, source.product, moved.models, (name) => taken.has(name));
      if ("refusal" in wanted) {
        report.leave("channels", label, wanted.refusal);
        continue;
      }
      for (const model of Object.keys(wanted.channel.models)) {
        supply.served.add(model);
        for (const group of groupsOf(row))
          supply.seenBy.set(group, (supply.seenBy.get(group) ?? new Set()).add(model));
      }
      if (known.has(id)) {
        report.counts.channels.known++;
        continue;
      }
      taken.add(wanted.channel.name);
      for (const remark of wanted.remarks) report.remark("channels", label, remark);
      try {
        if (!isDry) await makeChannel(context, id, wanted);
        report.took("channels");
      } catch (error) {
        if (!isRelayError(error)) throw error;
        report.leave("channels", label, `it is refused here: ${error.message}`);
      }
    }
  }
  report.progress("channels");
  return supply;
}
