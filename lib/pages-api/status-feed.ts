import en from "../../messages/en.json";
import zh from "../../messages/zh-CN.json";
import { brandName } from "../contract/brand";
import { feedAddress } from "../contract/feed-address";
import type { IncidentView } from "../contract/incidents";
import { inLanguage } from "../contract/two-languages";

/** An entry has only this many of its updates, the newest: a feed is read every few minutes. */
const UPDATES_MAX = 10;
/** Of a feed in which nothing was ever written. */
const BEGINNING = "2026-01-01T00:00:00.000Z";

const marks: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
/** XML has no way to write control characters, nor the last two of the first plane. */
const xml = (text: string): string =>
  text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, " ").replace(/[&<>"]/g, (mark) => marks[mark] ?? mark);

function entryOf(origin: string, incident: IncidentView, locale: "en" | "zh-CN"): string {
  const { states } = (locale === "en" ? en : zh).status;
  const { id, titleEn, titleZh, models, beganAt, updates } = incident;
  const title = inLanguage({ en: titleEn, zh: titleZh }, locale);
  const lines = updates.slice(0, UPDATES_MAX).map(({ state, at, textEn, textZh }) => {
    const { text } = inLanguage({ en: textEn, zh: textZh }, locale);
    return `${at} ${states[state]}: ${text}`;
  });
  const [newest] = updates;
  return `  <entry>
    <id>${origin}/status#${id}</id>
    <title xml:lang="${title.lang}">${xml(title.text)}</title>
    <link rel="alternate" type="text/html" href="${origin}/status#${id}"/>
    <published>${beganAt}</published>
    <updated>${newest?.at ?? beganAt}</updated>
    ${[newest?.state ?? "", ...models].map((term) => `<category term="${xml(term)}"/>`).join("")}
    <content type="text">${lines.map(xml).join("\n\n")}</content>
  </entry>`;
}

/** The incidents as an Atom feed (RFC 4287). It changes only when something is written. */
export function statusFeed(
  origin: string,
  incidents: readonly IncidentView[],
  locale: "en" | "zh-CN",
): string {
  const { status } = locale === "en" ? en : zh;
  const times = incidents.flatMap(({ updates }) => updates.map(({ at }) => at));
  const address = `${origin}${feedAddress(locale)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">
  <id>${address}</id>
  <title>${xml(`${brandName(locale)} · ${status.feedTitle}`)}</title>
  <updated>${times.toSorted().at(-1) ?? BEGINNING}</updated>
  <author><name>${xml(brandName(locale))}</name></author>
  <link rel="self" type="application/atom+xml" href="${address}"/>
  <link rel="alternate" type="text/html" href="${origin}/status"/>
${incidents.map((incident) => entryOf(origin, incident, locale)).join("\n")}
</feed>
`;
}
