import { offeredModels } from "@/lib/catalog/models";
import type { Family } from "@/lib/contract/states";
import { pagesDeps } from "@/lib/pages-api/pages-deps";

/** Whether the sandbox answers a family, or a part of it, at this moment. */
export function isFromSandbox(family: Family): boolean {
  const { servedBy } = pagesDeps();
  return offeredModels().some(
    (model) => model.family === family && servedBy(model.id) === "sandbox",
  );
}
