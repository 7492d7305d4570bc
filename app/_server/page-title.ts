import type { Metadata } from "next";
import type { Messages } from "next-intl";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "./page-user";

/** The members that have a title. */
type Titled<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends { readonly title: string } ? Name : never;
}[keyof Texts & string];

export const pageTitle = (texts: Titled<Messages>) => async (): Promise<Metadata> => {
  const t = await getTranslations();
  return { title: t(`${texts}.title`) };
};

type Translator = Awaited<ReturnType<typeof getTranslations<never>>>;

/** The title of a page, by its full key in the messages. */
export const titled = (read: (t: Translator) => string) => async (): Promise<Metadata> => ({
  title: read(await getTranslations()),
});

/** The same of a page that search engines leave out. */
export const titledUnlisted = (read: (t: Translator) => string) => async (): Promise<Metadata> => ({
  title: read(await getTranslations()),
  robots: { index: false },
});

/** The title of a page for operators, from its texts. Others do not get to see it. */
export const operatorTitle = (texts: Titled<Messages["operator"]>) => async () => {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t(`${texts}.title`) } satisfies Metadata;
};
