import { resolve } from "node:path";
import type { Model } from "@/lib/catalog/models";
import { type Example, listExamples } from "@/lib/examples/examples";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { settingsSchema } from "@/lib/settings";

/** Below the project's folder unless the setting is an absolute path. */
export const examplesFolder = (): string =>
  resolve(/* turbopackIgnore: true */ pagesDeps().settings.RELAY_EXAMPLES_DIR);

/** Whether the folder is the one that comes with the product. */
export const areSandboxExamples = (): boolean =>
  pagesDeps().settings.RELAY_EXAMPLES_DIR ===
  settingsSchema.shape.RELAY_EXAMPLES_DIR.parse(undefined);

/** All examples, or those of one model. */
export const shownExamples = (only?: Model): Promise<Example[]> =>
  listExamples(examplesFolder(), only);
