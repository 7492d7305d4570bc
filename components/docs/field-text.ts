import type { useFormatter, useTranslations } from "next-intl";
import type { FieldType, Limit } from "@/lib/contract/reference-fields";

export type Translate = ReturnType<typeof useTranslations<"reference">>;
export type Format = Pick<ReturnType<typeof useFormatter>, "list">;

/** The words for a field's types. */
export function typeText(
  t: Translate,
  format: Format,
  types: readonly FieldType[],
  number: "one" | "many" = "one",
): string {
  const words = types.map((type) => {
    if (typeof type === "string") return t(`types.${number}.${type}`);
    if (type.listOf.length === 0) return t(`types.${number}.list`);
    return t(`types.${number}.listOf`, { types: typeText(t, format, type.listOf, "many") });
  });
  return format.list(words, { type: "disjunction" });
}

function spanText(t: Translate, { min, max }: Limit): string {
  if (min === undefined) return t("limits.atMost", { max: max ?? 0 });
  if (max === undefined) return t("limits.atLeast", { min });
  return min === max ? t("limits.exactly", { max }) : t("limits.between", { min, max });
}

export function limitText(t: Translate, limit: Limit): string {
  const { kind, min, max, isEach } = limit;
  const text = t(`limits.${kind}`, { span: spanText(t, limit), count: max ?? min ?? 0 });
  return isEach ? t("limits.each", { text }) : text;
}
