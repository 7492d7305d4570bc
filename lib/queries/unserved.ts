import type { z } from "zod";
import { offeredModels } from "../catalog/models";
import { listChannels } from "../channels/stored-channels";
import type { ServedBy } from "../contract/states";
import type { unservedModels } from "../contract/unserved";
import type { QueryDeps } from "./query-deps";

export interface ServingDeps extends Pick<QueryDeps, "database"> {
  servedBy(model: string): ServedBy;
}

/** The models that neither a channel nor the sandbox serves. */
export async function listUnserved({
  database,
  servedBy,
}: ServingDeps): Promise<z.input<typeof unservedModels>> {
  const unserved = offeredModels().filter(({ id }) => servedBy(id) === "nobody");
  if (unserved.length === 0) return [];
  const offered = (await listChannels(database)).flatMap((channel) => Object.keys(channel.models));
  return unserved.map(({ id }) => ({ model: id, hasChannel: offered.includes(id) }));
}
