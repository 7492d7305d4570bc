import { findModel } from "../catalog/models";
import { INCIDENT_MODELS_MAX, INCIDENT_TEXT_MAX, INCIDENT_TITLE_MAX } from "../contract/limits";
import { invalidValue } from "../failures/relay-error";
import { cleanText } from "./clean-text";

const cleanOrNull = (param: string, text: string | null, max: number) =>
  text === null ? null : cleanText(param, text, max);

export function titlesOf({ titleEn, titleZh }: { titleEn: string | null; titleZh: string | null }) {
  if (titleEn === null && titleZh === null)
    throw invalidValue("title_en", "An incident needs a title in at least one language.");
  return {
    titleEn: cleanOrNull("title_en", titleEn, INCIDENT_TITLE_MAX),
    titleZh: cleanOrNull("title_zh", titleZh, INCIDENT_TITLE_MAX),
  };
}

export function updateTexts({ textEn, textZh }: { textEn: string | null; textZh: string | null }) {
  if (textEn === null && textZh === null)
    throw invalidValue("text_en", "An update needs a text in at least one language.");
  return {
    textEn: cleanOrNull("text_en", textEn, INCIDENT_TEXT_MAX),
    textZh: cleanOrNull("text_zh", textZh, INCIDENT_TEXT_MAX),
  };
}

/** The identifiers of the named models, each once. Drafts are unknown to customers. */
export function modelIds(names: readonly string[]): string[] {
  if (names.length > INCIDENT_MODELS_MAX)
    throw invalidValue(
      "models",
      `There are ${names.length} models: at most ${INCIDENT_MODELS_MAX}.`,
    );
  const ids = names.map((name) => {
    const model = findModel(name);
    if (model === undefined || model.state === "draft")
      throw invalidValue("models", `There is no model ${JSON.stringify(name.slice(0, 80))}.`);
    return model.id;
  });
  return [...new Set(ids)];
}

/** Null for now. */
export function beganAtOf(given: Date | null): Date {
  const now = new Date();
  if (given !== null && given > now)
    throw invalidValue(
      "began_at",
      "An incident cannot begin in the future: post a notice instead.",
    );
  return given ?? now;
}
