import { offeredModels } from "../catalog/models";
import { docPages } from "../docs/guides";

/** Paths of the pages that need no session. */
export function publicPaths(): string[] {
  return [
    "/",
    "/pricing",
    "/models",
    ...offeredModels().map(({ alias }) => `/models/${alias}`),
    ...docPages.map(({ path }) => path),
  ];
}
