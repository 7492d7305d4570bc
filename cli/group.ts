import { parseMultiplier } from "@/lib/accounts/multipliers";
import { changeGroup, createGroup, deleteGroup } from "@/lib/commands/groups";
import { findGroup, type GroupView, listGroups } from "@/lib/queries/groups";
import { actor, type Command, type Flags, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

const view = ({ id, name, multiplier, models, modelMultipliers, members }: GroupView) => ({
  id,
  name,
  multiplier: multiplier === null ? null : Number(multiplier),
  models,
  model_multipliers: Object.fromEntries(
    modelMultipliers.map((each) => [each.model, Number(each.multiplier)]),
  ),
  accounts: members,
});

const line = ({ models, model_multipliers, ...group }: ReturnType<typeof view>) => ({
  ...group,
  models: models.join(",") || null,
  model_multipliers:
    Object.entries(model_multipliers)
      .map(([model, value]) => `${model}=${value}`)
      .join(",") || null,
});

async function shown(installation: OpenInstallation, named: string) {
  const group = view(await findGroup(installation, named));
  return { json: { group }, text: table([line(group)]) };
}

function modelMultiplier(text: string) {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new UsageError(`--model-multipliers ${text} is not MODEL=NUMBER`);
  return { model: text.slice(0, at), multiplierPpm: parseMultiplier(text.slice(at + 1)) };
}

/** A list; the word `none` for an empty one. Undefined when it is not given. */
const listOf = (text: string | null, none: string) =>
  text === null ? undefined : text === none ? [] : text.split(",").map((each) => each.trim());

function termsOf(flags: Flags) {
  const value = flags.optional("value");
  return {
    multiplierPpm: value === null ? undefined : value === "none" ? null : parseMultiplier(value),
    models: listOf(flags.optional("models"), "all"),
    modelMultipliers: listOf(flags.optional("model-multipliers"), "none")?.map(modelMultiplier),
  };
}

const terms =
  "[--value 0.85|none] [--model-multipliers A=0.5,B=0.9|none] [--models A,B|all]   (--models: what its accounts may see)";
const options = {
  name: "string",
  value: "string",
  models: "string",
  "model-multipliers": "string",
} as const;

const list: Command = {
  usage: "",
  options: {},
  async run(installation) {
    const groups = (await listGroups(installation)).map(view);
    return { json: { groups }, text: table(groups.map(line)) };
  },
};

const show: Command = {
  usage: "--name N",
  options: { name: "string" },
  run: (installation, flags) => shown(installation, flags.text("name")),
};

const create: Command = {
  usage: `--name N ${terms}`,
  options,
  async run(installation, flags) {
    const { multiplierPpm = null, models = [], modelMultipliers = [] } = termsOf(flags);
    const name = flags.text("name");
    const group = { name, multiplierPpm, models, modelMultipliers };
    const { id } = await createGroup(installation, actor, group);
    return shown(installation, id);
  },
};

const change: Command = {
  usage: `--name N [--new-name M] ${terms}`,
  options: { ...options, "new-name": "string" },
  async run(installation, flags) {
    const { id } = await findGroup(installation, flags.text("name"));
    const name = flags.optional("new-name") ?? undefined;
    await changeGroup(installation, actor, { id, name, ...termsOf(flags) });
    return shown(installation, id);
  },
};

const remove: Command = {
  usage: "--name N   (refused while accounts are in it)",
  options: { name: "string" },
  async run(installation, flags) {
    const { id, name } = await findGroup(installation, flags.text("name"));
    await deleteGroup(installation, actor, { id });
    return { json: { group: { id, deleted: true } }, text: `The group ${name} is deleted.` };
  },
};

export const groupCommands = { list, show, create, change, delete: remove };
