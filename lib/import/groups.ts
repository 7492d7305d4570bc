import { createGroup } from "../commands/groups";
import { GROUP_MODELS_MAX, GROUP_NAME_MAX, GROUPS_MAX } from "../contract/limits";
import { isRelayError } from "../failures/relay-error";
import { MULTIPLIER_PPM_MAX } from "../pricing/price";
import { readMoved, rememberMoved } from "./book";
import { tellMultipliers } from "./changed-there";
import { freeName } from "./channel-input";
import type { Supply } from "./channels";
import type { ImportContext } from "./context";
import { multiplierOfRatio } from "./rate";
import { text } from "./sources/source";

const MULTIPLIER_PPM_MIN = 10_000;
const ONE = 10n ** 12n;

/** Those with a ratio, and those that a user is in. */
async function namesOf({ from, ratios, subscriptions }: ImportContext): Promise<string[]> {
  const names = new Set(ratios.group.keys());
  for (const { groupBefore } of [...subscriptions.values()].flat())
    if (groupBefore !== "") names.add(groupBefore);
  for await (const rows of from.rows("users"))
    for (const row of rows) if (text(row, "group") !== "") names.add(text(row, "group"));
  return [...names].sort();
}

/** The models that the group may see; none for all. */
function modelsOf({ report }: ImportContext, group: string, { served, seenBy }: Supply): string[] {
  const seen = seenBy.get(group) ?? new Set();
  if (seen.size === served.size) return [];
  if (seen.size > 0 && seen.size <= GROUP_MODELS_MAX) return [...seen];
  report.remark(
    "groups",
    group,
    seen.size === 0
      ? "no channel that moved serves it: here it sees all models"
      : `it sees ${seen.size} models, more than a list can have: here it sees all`,
  );
  return [];
}

const ppmOf = ({ ratios }: ImportContext, group: string) =>
  multiplierOfRatio(ratios.group.get(group) ?? ONE);

async function moveGroup(context: ImportContext, group: string, supply: Supply): Promise<void> {
  const { report, source, moved, deps, actor, isDry } = context;
  const { ppm, isExact } = ppmOf(context, group);
  if (ppm < MULTIPLIER_PPM_MIN || ppm > MULTIPLIER_PPM_MAX) {
    const ratio = ppm / 1_000_000;
    return report.leave(
      "groups",
      group,
      `its ratio is ${ratio}, and a multiplier is from 0.01 to 100: its users do not move`,
    );
  }
  if (!isExact) report.remark("groups", group, "its ratio has more than six decimals: rounded");
  const models = modelsOf(context, group, supply);
  const wanted = {
    name: freeName(group, source.name, () => false).slice(0, GROUP_NAME_MAX),
    multiplierPpm: ppm,
    models,
    modelMultipliers: [],
  };
  const make = (name: string) =>
    createGroup(deps, actor, { ...wanted, name }, (client, targetId) =>
      rememberMoved(client, source.name, "group", [{ foreignId: group, targetId }]),
    );
  try {
    const made = isDry
      ? { id: "" }
      : await make(wanted.name).catch((error: unknown) => {
          if (!isRelayError(error) || error.code !== "already_exists") throw error;
          return make(`${wanted.name} ${source.name}`.slice(0, GROUP_NAME_MAX));
        });
    moved.groups.set(group, made.id);
    report.took("groups");
  } catch (error) {
    if (!isRelayError(error)) throw error;
    report.leave("groups", group, `it is refused here: ${error.message} Its users do not move.`);
  }
}

/** Takes over the groups with their multipliers, and the models that their channels serve. */
export async function moveGroups(context: ImportContext, supply: Supply): Promise<void> {
  const { report, client, source, moved } = context;
  const known = await readMoved(client, source.name, "group");
  const names = await namesOf(context);
  if (names.length > GROUPS_MAX)
    report.remark("groups", `${names.length}`, `at most ${GROUPS_MAX} groups are allowed`);
  const before = [];
  for (const name of names) {
    report.counts.groups.found++;
    const there = known.get(name);
    if (there === undefined) await moveGroup(context, name, supply);
    else {
      moved.groups.set(name, there);
      report.counts.groups.known++;
      before.push({ name, id: there, ppm: ppmOf(context, name).ppm });
    }
  }
  await tellMultipliers(context, before);
  report.progress("groups");
}
