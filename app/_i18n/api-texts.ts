import { getLocale } from "next-intl/server";
import type { ReferenceEntry } from "@/lib/contract/reference";
import type { Field } from "@/lib/contract/reference-fields";
import { isKeyOf } from "@/lib/records";
import chinese from "./api.zh-CN.json";

/** The sentence of the API document in Chinese, or as it is where there is no translation. */
const inChinese = (text: string) => (isKeyOf(chinese, text) ? chinese[text] : text);

/** Says sentences of the API document in the reader's language. Its own language is English. */
export async function apiTexts(): Promise<(text: string) => string> {
  return (await getLocale()) === "zh-CN" ? inChinese : (text) => text;
}

/** The entries of the API reference in the reader's language. */
export async function inReadersLanguage(
  entries: readonly ReferenceEntry[],
): Promise<readonly ReferenceEntry[]> {
  const say = await apiTexts();
  const fields = (list: readonly Field[]) =>
    list.map((field) => ({ ...field, description: say(field.description) }));
  return entries.map((entry) => ({
    ...entry,
    summary: say(entry.summary),
    parameters: fields(entry.parameters),
    query: fields(entry.query),
    headers: fields(entry.headers),
    body: fields(entry.body),
    answer: fields(entry.answer),
    event: fields(entry.event),
  }));
}
