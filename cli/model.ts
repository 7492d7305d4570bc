import { type Model, namesOf } from "@/lib/catalog/model";
import { hasRetired } from "@/lib/catalog/models";
import { readModelChannels } from "@/lib/channels/model-channels";
import { mapModel } from "@/lib/commands/map-model";
import { offerModel, restoreModel, retireModel } from "@/lib/commands/model-states";
import { changeModel, createModel } from "@/lib/commands/models";
import { readCatalogue } from "@/lib/model-book/read-models";
import { showModel } from "@/lib/queries/models";
import { actor, type Command } from "./command";
import { readJsonFile } from "./json-file";
import { importCommand } from "./model-import";
import { table } from "./table";

const row = (model: Model) => ({
  id: model.id,
  aliases: namesOf(model).slice(1).join(","),
  family: model.family,
  state: hasRetired(model) ? "retired" : model.state,
  retires_at: model.retiresAt === null ? null : new Date(model.retiresAt).toISOString(),
  replaced_by: model.replacedBy,
  built_in: model.isBuiltIn,
});
const report = (model: Model) => ({ json: { model: row(model) }, text: table([row(model)]) });

const list: Command = {
  usage: "",
  options: {},
  async run({ pool }) {
    const models = (await readCatalogue(pool)).models.map(row);
    return { json: { models }, text: table(models) };
  },
};

const show: Command = {
  usage: "--id M   (--json: `file` is what `model change` takes)",
  options: { id: "string" },
  async run({ pool }, flags) {
    const found = await showModel({ pool }, { id: flags.text("id") });
    const { model, version, revision, file } = found;
    const shown = { ...row(model), version, revision };
    return {
      json: { model: shown, file },
      text: `${table([shown])}\n\n${JSON.stringify(file, null, 2)}`,
    };
  },
};

const create: Command = {
  usage: "--from FILE.json   (a draft, which only operators see)",
  options: { from: "string" },
  run: async (installation, flags) =>
    report(await createModel(installation, actor, readJsonFile(flags.text("from")))),
};

const change: Command = {
  usage:
    "--id M --from FILE.json [--revision R]   (a new version; aliases, names and rates may be left out; R: as `model show` printed it)",
  options: { id: "string", from: "string", revision: "string" },
  async run(installation, flags) {
    const content = readJsonFile(flags.text("from"));
    const revision = flags.optional("revision") ?? undefined;
    const edit = { id: flags.text("id"), content, revision };
    return report(await changeModel(installation, actor, edit));
  },
};

const sold = (sell: typeof offerModel, usage: string): Command => ({
  usage: `--id M [--anyway REASON]   (${usage})`,
  options: { id: "string", anyway: "string" },
  run: async (installation, flags) =>
    report(
      await sell(installation, actor, {
        id: flags.text("id"),
        anyway: flags.optional("anyway"),
      }),
    ),
});

const retire: Command = {
  usage: "--id M [--on ISO] [--replaced-by M]   (without a date: now)",
  options: { id: "string", on: "string", "replaced-by": "string" },
  run: async (installation, flags) =>
    report(
      await retireModel(installation, actor, {
        id: flags.text("id"),
        on: flags.moment("on"),
        replacedBy: flags.optional("replaced-by"),
      }),
    ),
};

const map: Command = {
  usage:
    "--id M --channel C [--as NAME]   (the upstream's name for it; without --as: takes it from the channel)",
  options: { id: "string", channel: "string", as: "string" },
  async run(installation, flags) {
    const [id, channelId] = [flags.text("id"), flags.text("channel")];
    const upstreamModel = flags.optional("as");
    await mapModel(installation, actor, { id, channelId, upstreamModel });
    const channels = await readModelChannels(
      installation.pool,
      (await showModel(installation, { id })).model.id,
    );
    const rows = channels.map((each) => ({
      id: each.id,
      name: each.name,
      state: each.state,
      upstream_name: each.upstreamModel,
    }));
    return { json: { channels: rows }, text: table(rows) };
  },
};

export const modelCommands = {
  list,
  show,
  create,
  import: importCommand,
  change,
  map,
  offer: sold(offerModel, "needs all rates, an active channel, and a test that worked"),
  retire,
  restore: sold(restoreModel, "offers what retires or has retired"),
} satisfies Record<string, Command>;
