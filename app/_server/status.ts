import { modelNow } from "@/components/status/model-state";
import { offeredModels } from "@/lib/catalog/models";
import { pagesDeps } from "@/lib/pages-api/pages-deps";

/** Whether everyone may see the status page. Operators always may. */
export const isStatusPublic = (): boolean => pagesDeps().live.value("status_page") === "everyone";

/** What the status page shows. Null parts cannot be read now. */
export async function statusFacts() {
  const deps = pagesDeps();
  const [figures, incidents] = await Promise.all([deps.statusFigures(), deps.incidents()]);
  const models = offeredModels().map((model) => {
    const own = figures?.value.find((each) => each.model === model.id);
    const now = modelNow(model.id, deps.servedBy(model.id), own, incidents?.value ?? []);
    return { model, now };
  });
  return { figures, incidents: incidents?.value ?? null, models };
}
