import type { useMessages } from "next-intl";
import type { Model } from "../catalog/models";

/**
 * The message key of a model's description. Dots are replaced, since they separate message keys.
 */
export function modelTextKey(model: Model) {
  return model.alias.replaceAll(".", "-") as keyof ReturnType<typeof useMessages>["models"];
}
