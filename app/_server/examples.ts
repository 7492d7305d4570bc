import type { Model } from "@/lib/catalog/models";
import type { Example } from "@/lib/contract/shown-example";
import { examplesFolder } from "@/lib/pages-api/example-file";
import { listExamples } from "@/lib/queries/examples";

/** All examples, or those of one model. */
export const shownExamples = (only?: Model): Promise<Example[]> =>
  listExamples(examplesFolder(), only);
