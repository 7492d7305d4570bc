import type { z } from "zod";
import { filesOfListed, multiplierOfMargin } from "../channels/listed-models";
import { importModels } from "../commands/import-models";
import { mapModel } from "../commands/map-model";
import { offerModel, restoreModel, retireModel } from "../commands/model-states";
import { changeModel, createModel } from "../commands/models";
import type { modelEndpoints, modelProgramRows } from "../contract/operator-models";
import { requestedPoints } from "../money/requested-points";
import { listCatalogue, listModelsOf, showModelDetail } from "../queries/models";
import { listUpstreamModels } from "../queries/upstream-models";
import type { ProgramDeps, UseCases } from "./use-case";

/** Longer lists are cut: a person reads them. */
const UPSTREAM_LISTED_MAX = 2000;

type ImportRequest = z.output<typeof modelEndpoints.importModels.body>;

const importTerms = ({ margin, price }: ImportRequest) => ({
  multiplierPpm: multiplierOfMargin(requestedPoints("margin", margin)),
  price: price && {
    input: requestedPoints("price.input", price.input),
    output: requestedPoints("price.output", price.output),
  },
});

export const modelProgramUseCases: UseCases<typeof modelProgramRows, ProgramDeps> = {
  listCatalogue: ({ deps, query }) => listCatalogue(deps, query),
  showModel: ({ deps, id }) => showModelDetail(deps, id),
  async createModel({ deps, body, user }) {
    return showModelDetail(deps, (await createModel(deps, user.userId, body)).id);
  },
  async changeModel({ deps, body, query: { revision }, id, user }) {
    const model = await changeModel(deps, user.userId, { id, content: body, revision });
    return showModelDetail(deps, model.id);
  },
  async mapModel({ deps, body: { channel, upstreamModel }, id, user }) {
    await mapModel(deps, user.userId, { id, channelId: channel, upstreamModel });
    return showModelDetail(deps, id);
  },
  async offerModel({ deps, body: { anyway }, id, user }) {
    await offerModel(deps, user.userId, { id, anyway });
    return showModelDetail(deps, id);
  },
  async restoreModel({ deps, body: { anyway }, id, user }) {
    await restoreModel(deps, user.userId, { id, anyway });
    return showModelDetail(deps, id);
  },
  async retireModel({ deps, body: { on, replacedBy }, id, user }) {
    await retireModel(deps, user.userId, { id, on: on === null ? null : new Date(on), replacedBy });
    return showModelDetail(deps, id);
  },
};

export const modelUseCases: UseCases<typeof modelEndpoints> = {
  ...modelProgramUseCases,
  async listUpstreamModels({ deps, id }) {
    const models = await listUpstreamModels(deps, id);
    return {
      models: models
        .slice(0, UPSTREAM_LISTED_MAX)
        .map(({ id: upstreamModel, family, pricing }) => ({
          upstreamModel,
          family: family ?? "text",
          hasPrice: pricing !== null,
        })),
    };
  },
  async importModels({ deps, body, id, user }) {
    const found = await listUpstreamModels(deps, id);
    const models = filesOfListed(found, body.models, importTerms(body));
    const made = await importModels(deps, user.userId, { channelId: id, models });
    return {
      models: await listModelsOf(
        deps,
        made.map((model) => model.id),
      ),
    };
  },
};
