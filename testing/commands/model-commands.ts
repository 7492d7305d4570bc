/** The commands about models, each with the state it needs. */
import { importModels } from "@/lib/commands/import-models";
import { mapModel } from "@/lib/commands/map-model";
import { offerModel, restoreModel, retireModel } from "@/lib/commands/model-states";
import { changeModel, createModel } from "@/lib/commands/models";
import type { SiteProcess } from "../pages-api/site-process";
import {
  actor,
  type BrokenOffCommand,
  commandOn,
  nextNumber,
  prepared,
  storedChannel,
} from "./seed";

const newFile = (more: object = {}) => ({
  id: `acme-${nextNumber()}`,
  family: "text",
  spec: { output_tokens_max: 1000 },
  rates: [{ unit: "output_token", points: 5 }],
  ...more,
});
const anyway = "for a test";

async function draft({ deps }: SiteProcess): Promise<string> {
  return (await createModel(deps, actor, newFile())).id;
}

async function offered(site: SiteProcess): Promise<string> {
  const id = await draft(site);
  await offerModel(site.deps, actor, { id, anyway });
  return id;
}

const retired = { on: null, replacedBy: null };

export const modelCommands: readonly BrokenOffCommand[] = [
  {
    action: "model.create",
    prepare: async () => {
      const file = newFile();
      return (deps) => createModel(deps, actor, file);
    },
  },
  prepared("model.change", async (site) => {
    const id = await draft(site);
    const content = newFile({ id, spec: { output_tokens_max: 2000 } });
    return (deps) => changeModel(deps, actor, { id, content });
  }),
  commandOn("model.offer", draft, (deps, id) => offerModel(deps, actor, { id, anyway })),
  commandOn("model.retire", offered, (deps, id) => retireModel(deps, actor, { id, ...retired })),
  prepared("model.restore", async (site) => {
    const id = await offered(site);
    await retireModel(site.deps, actor, { id, ...retired });
    return (deps) => restoreModel(deps, actor, { id, anyway });
  }),
  prepared(
    "channel.change",
    async (site) => {
      const [id, channel] = [await draft(site), await storedChannel(site)];
      return (deps) => mapModel(deps, actor, { id, channelId: channel.id, upstreamModel: "new" });
    },
    "mapped to one model more",
  ),
  {
    action: "channel.change",
    what: "mapped to imported models",
    recordsFirst: ["model.create", "model.create"],
    async prepare(site) {
      const { id: channelId } = await storedChannel(site);
      const models = ["one", "two"].map((upstreamModel) => ({ content: newFile(), upstreamModel }));
      return (deps) => importModels(deps, actor, { channelId, models });
    },
  },
];
