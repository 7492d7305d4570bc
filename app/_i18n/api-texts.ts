import { setImmediate } from "node:timers/promises";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { type EntryHtml, entryHtml } from "@/components/docs/entry-html";
import type { EndpointGroup } from "@/lib/contract/endpoint";
import { type EndpointName, endpoints } from "@/lib/contract/endpoints";
import { type ReferenceEntry, referenceEntry } from "@/lib/contract/reference";
import type { Field } from "@/lib/contract/reference-fields";
import { isKeyOf } from "@/lib/values/records";
import chinese from "./api.zh-CN.json";

/** The sentence of the API document in Chinese, or as it is where there is no translation. */
const inChinese = (text: string) => (isKeyOf(chinese, text) ? chinese[text] : text);

/** Says sentences of the API document in the reader's language. Its own language is English. */
export async function apiTexts(): Promise<(text: string) => string> {
  return (await getLocale()) === "zh-CN" ? inChinese : (text) => text;
}

function inLanguage(entry: ReferenceEntry, say: (text: string) => string): ReferenceEntry {
  const fields = (list: readonly Field[]) =>
    list.map((field) => ({ ...field, description: say(field.description) }));
  return {
    ...entry,
    summary: say(entry.summary),
    parameters: fields(entry.parameters),
    query: fields(entry.query),
    headers: fields(entry.headers),
    body: fields(entry.body),
    answer: fields(entry.answer),
    event: fields(entry.event),
  };
}

/** An endpoint as its page shows it. */
interface ShownEntry {
  readonly entry: ReferenceEntry;
  readonly html: EntryHtml;
}

/** By language and endpoint. Preparing an entry takes some milliseconds, so it is done once. */
const shown = new Map<string, ShownEntry>();

async function shownEntry(name: EndpointName): Promise<ShownEntry> {
  const key = `${await getLocale()} ${name}`;
  const known = shown.get(key);
  if (known) return known;
  const say = await apiTexts();
  const t = await getTranslations("reference");
  const meaningOf = await getTranslations("failures.codes");
  const format = await getFormatter();
  // Other requests are answered between two entries.
  await setImmediate();
  const entry = inLanguage(referenceEntry(name), say);
  const prepared = { entry, html: entryHtml(t, format, meaningOf, entry) };
  shown.set(key, prepared);
  return prepared;
}

export async function entriesInLanguage(group: EndpointGroup): Promise<readonly ShownEntry[]> {
  const found: ShownEntry[] = [];
  for (const { name } of rowsOf(group)) found.push(await shownEntry(name));
  return found;
}

const rowsOf = (group: EndpointGroup) =>
  Object.values(endpoints).filter((row) => row.group === group);

/** Says what each endpoint of a group does, in the reader's language. */
export async function summariesInLanguage() {
  const say = await apiTexts();
  return (group: EndpointGroup) =>
    rowsOf(group).map(({ name, method, path, summary }) => ({
      name,
      method,
      path,
      summary: say(summary),
    }));
}
