import { getLocale, getMessages, getTranslations } from "next-intl/server";
import { summariesInLanguage } from "@/app/_i18n/api-texts";
import { docPages, groupPages, guideNames } from "@/lib/docs/guides";
import { anchorOf, type DocPlace, wordsOf } from "@/lib/docs/search";
import { shownFailures } from "@/lib/docs/shown-failures";

/** As JSON, by language: the places are those of the build. */
const written = new Map<string, string>();

/** Every place of the documentation that its search finds, in the reader's language, as JSON. */
export async function docPlacesText(): Promise<string> {
  const locale = await getLocale();
  const text = written.get(locale) ?? JSON.stringify(await docPlaces());
  written.set(locale, text);
  return text;
}

async function docPlaces(): Promise<DocPlace[]> {
  const { docs } = await getMessages();
  const meaningOf = await getTranslations("failures.codes");
  const summaries = await summariesInLanguage();
  const pages = docPages.map(({ name, path }) => ({
    path,
    title: docs.names[name],
    page: docs.names[name],
    text: docs.about[name],
  }));
  const sections = (["start", ...guideNames] as const).flatMap((name) =>
    Object.entries(docs.guides[name]).flatMap(([section, texts]) =>
      typeof texts === "object" && "title" in texts && typeof texts.title === "string"
        ? {
            path: `${name === "start" ? "/docs" : `/docs/${name}`}#${anchorOf(section)}`,
            title: texts.title,
            page: docs.names[name],
            text: wordsOf(texts),
          }
        : [],
    ),
  );
  const calls = groupPages.flatMap(({ group, name, path }) =>
    summaries(group).map((row) => ({
      path: `${path}#${row.name}`,
      title: `${row.method} ${row.path}`,
      page: docs.names[name],
      text: row.summary,
    })),
  );
  const failures = shownFailures.map((code) => ({
    path: `/docs/errors#${code}`,
    title: code,
    page: docs.names.errors,
    text: meaningOf(code),
  }));
  return [...pages, ...sections, ...calls, ...failures];
}
