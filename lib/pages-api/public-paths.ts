import { offeredModels } from "../catalog/models";
import { legalPath } from "../contract/page-paths";
import type { LegalPage } from "../contract/setting-names";
import { docPages } from "../docs/guides";

/** Paths of the pages that need no session. */
export function publicPaths(legal: readonly LegalPage[] = []): string[] {
  return [
    "/",
    "/pricing",
    "/models",
    ...offeredModels().map(({ alias }) => `/models/${alias}`),
    ...docPages.map(({ path }) => path),
    ...legal.map(legalPath),
  ];
}
