import type { useMessages } from "next-intl";
import type { Model } from "../catalog/models";

/** The key of a model's description among the messages; dots part keys there. */
export function modelTextKey(model: Model) {
  return model.alias.replaceAll(".", "-") as keyof ReturnType<typeof useMessages>["models"];
}
