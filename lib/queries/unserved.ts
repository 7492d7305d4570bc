import type { z } from "zod";
import { models } from "../catalog/models";
import { listChannels } from "../channels/stored-channels";
import type { Server } from "../contract/states";
import type { unservedModels } from "../contract/unserved";
import type { QueryDeps } from "./query-deps";

export interface ServingDeps extends Pick<QueryDeps, "database"> {
  serverOf(model: string): Server;
}

/** The models that neither a channel nor the sandbox serves. */
export async function listUnserved({
  database,
  serverOf,
}: ServingDeps): Promise<z.input<typeof unservedModels>> {
  const unserved = models.filter(({ id }) => serverOf(id) === "nobody");
  if (unserved.length === 0) return [];
  const offered = (await listChannels(database)).flatMap((channel) => Object.keys(channel.models));
  return unserved.map(({ id }) => ({ model: id, hasChannel: offered.includes(id) }));
}
