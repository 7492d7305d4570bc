import type { useMessages } from "next-intl";
import type { Model } from "../catalog/models";

type TextKey = keyof ReturnType<typeof useMessages>["models"];

/**
 * What a model does: its own sentence, or the pages' words for a built-in one, by their key there.
 * Dots are replaced in it, since they separate message keys.
 */
export function modelText(model: Model, locale: string, textOf: (key: TextKey) => string): string {
  if (model.names !== null) return model.names[locale === "zh-CN" ? "zh-CN" : "en"].sentence;
  return model.isBuiltIn ? textOf(modelTextKey(model)) : "";
}

export function modelTextKey(model: Model) {
  return model.alias.replaceAll(".", "-") as TextKey;
}
