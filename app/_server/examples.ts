import type { Model } from "@/lib/catalog/models";
import type { Example } from "@/lib/contract/shown-example";
import { examplesFolder } from "@/lib/pages-api/example-file";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { listExamples } from "@/lib/queries/examples";

export const examplesOfModel = (model: Model): Promise<Example[]> =>
  listExamples(examplesFolder(), model);

/** Those of the home page; none where the installation does not show them. */
export const homeExamples = async (): Promise<Example[]> =>
  pagesDeps().live.value("home_films") === "yes" ? listExamples(examplesFolder()) : [];
