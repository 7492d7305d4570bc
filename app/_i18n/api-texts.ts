import { getLocale } from "next-intl/server";
import type { ReferenceEntry } from "@/lib/contract/reference";
import { isKeyOf } from "@/lib/records";
import chinese from "./api.zh-CN.json";

/** The sentence of the API document in Chinese, or as it is where there is no translation. */
const inChinese = (text: string) => (isKeyOf(chinese, text) ? chinese[text] : text);

function translated(entry: ReferenceEntry, say: (text: string) => string): ReferenceEntry {
  const fields = (list: ReferenceEntry["body"]) =>
    list.map((field) => ({ ...field, description: field.description && say(field.description) }));
  return {
    ...entry,
    summary: say(entry.summary),
    query: fields(entry.query),
    body: fields(entry.body),
    answer: fields(entry.answer),
    samples: entry.samples.map(({ name, code }) => ({ name: say(name), code })),
  };
}

/** The entries of the API document in the reader's language. Its own language is English. */
export async function inReadersLanguage(
  entries: readonly ReferenceEntry[],
): Promise<readonly ReferenceEntry[]> {
  return (await getLocale()) === "zh-CN"
    ? entries.map((entry) => translated(entry, inChinese))
    : entries;
}
