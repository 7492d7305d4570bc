import { openIncident, updateIncident } from "@/lib/commands/incidents";
import { type IncidentState, incidentStates } from "@/lib/contract/states";
import { listIncidents } from "@/lib/queries/incidents";
import { actor, type Command, type Flags, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

async function list({ pool }: OpenInstallation) {
  const incidents = await listIncidents(pool);
  const rows = incidents.map(({ id, titleEn, titleZh, models, beganAt, resolvedAt, updates }) => ({
    id,
    state: updates[0]?.state ?? null,
    began_at: beganAt,
    resolved_at: resolvedAt,
    models: models.join(" "),
    title: titleEn ?? titleZh,
    updates: updates.length,
  }));
  return { json: { incidents }, text: table(rows) };
}

function readState(text: string): IncidentState {
  const state = incidentStates.find((each) => each === text);
  if (state !== undefined) return state;
  throw new UsageError(`--state ${text} is not one of ${incidentStates.join(", ")}`);
}

const update = (flags: Flags, state: IncidentState) => ({
  state: readState(flags.optional("state") ?? state),
  textEn: flags.optional("en"),
  textZh: flags.optional("zh"),
});

const said = "--state investigating|identified|monitoring|resolved --en TEXT --zh TEXT";
const options = { state: "string", en: "string", zh: "string" } as const;

/** What was written cannot be changed: a further update corrects it. */
export const incidentCommands = {
  list: { usage: "", options: {}, run: list },
  open: {
    usage: `--title-en T --title-zh T ${said} [--models A,B] [--from ISO]   (a title and a text in one language or both)`,
    options: {
      ...options,
      "title-en": "string",
      "title-zh": "string",
      models: "string",
      from: "string",
    },
    async run(installation, flags) {
      await openIncident(installation, actor, {
        titleEn: flags.optional("title-en"),
        titleZh: flags.optional("title-zh"),
        models: flags.optional("models")?.split(",") ?? [],
        beganAt: flags.moment("from"),
        ...update(flags, "investigating"),
      });
      return list(installation);
    },
  },
  update: {
    usage: `--id K ${said}`,
    options: { id: "string", ...options },
    async run(installation, flags) {
      const state = readState(flags.text("state"));
      await updateIncident(installation, actor, { id: flags.text("id"), ...update(flags, state) });
      return list(installation);
    },
  },
} satisfies Record<string, Command>;
