import type { Metadata } from "next";
import type { Messages } from "next-intl";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "./page-user";

/** The members that have a title. */
type Titled<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends { readonly title: string } ? Name : never;
}[keyof Texts & string];

/** A page with the title of its texts. */
export const pageTitle = (texts: Titled<Messages>) => async (): Promise<Metadata> => {
  const t = await getTranslations();
  return { title: t(`${texts}.title`) };
};

/** The title of a page for operators, from its texts. Others do not get to see it. */
export const operatorTitle = (texts: Titled<Messages["operator"]>) => async () => {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t(`${texts}.title`) } satisfies Metadata;
};
