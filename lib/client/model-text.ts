import type { useMessages } from "next-intl";
import type { ModelNames } from "../catalog/model";
import type { Model } from "../catalog/models";

type TextKey = keyof ReturnType<typeof useMessages>["models"];

/** Those in the reader's language, else those in the other one. */
export const namesIn = (names: ModelNames, locale: string) =>
  locale === "zh-CN" ? (names["zh-CN"] ?? names.en) : (names.en ?? names["zh-CN"]);

/**
 * What a model does: its own sentence, or the pages' words for a built-in one, by their key there.
 * Dots are replaced in it, since they separate message keys.
 */
export function modelText(model: Model, locale: string, textOf: (key: TextKey) => string): string {
  if (model.names !== null) return namesIn(model.names, locale)?.sentence ?? "";
  return model.isBuiltIn ? textOf(modelTextKey(model)) : "";
}

export function modelTextKey(model: Model) {
  return model.alias.replaceAll(".", "-") as TextKey;
}
