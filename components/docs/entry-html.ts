/**
 * The fields and the failures of an endpoint as HTML. A page has hundreds of them: as elements they
 * take too long to render for each request, and their text depends on the language alone.
 */
import type { ReferenceEntry } from "@/lib/contract/reference";
import type { Field } from "@/lib/contract/reference-fields";
import type { FailureCode } from "@/lib/failures/failure-table";
import { type Format, limitText, type Translate, typeText } from "./field-text";

type MeaningOf = (code: FailureCode) => string;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
const code = (text: string) => `<code>${escaped(text)}</code>`;
/** A sentence, with the names of fields and values in it as code. */
const sentence = (text: string) =>
  escaped(text).replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => `<code>${name}</code>`);
/** A path that wraps after its dots first. */
const pathCode = (path: string) => code(path).replaceAll(".", ".<wbr>");
const span = (html: string) => `<span>${html}</span>`;

function factsOf(t: Translate, format: Format, field: Field): string[] {
  const { types, values, limits, defaultValue, when } = field;
  return [
    escaped(typeText(t, format, types)),
    ...(values.length > 0 ? [`${escaped(t("oneOf"))} ${values.map(code).join(", ")}`] : []),
    ...limits.map((limit) => escaped(limitText(t, limit))),
    ...(defaultValue === null ? [] : [`${escaped(t("default"))} ${code(defaultValue)}`]),
    ...(when === null ? [] : [`${escaped(t("when"))} ${code(when)}`]),
  ];
}

function fieldsHtml(
  t: Translate,
  format: Format,
  fields: readonly Field[],
  isAnswer = false,
): string {
  const rows = fields.map((field) => {
    const isMarked = isAnswer ? !field.isRequired : field.isRequired;
    const mark = isMarked ? span(escaped(t(isAnswer ? "optional" : "required"))) : "";
    const facts = factsOf(t, format, field).map(span).join("");
    return `<div><dt>${pathCode(field.name)}${mark}</dt><dd><p>${sentence(field.description)}</p><p>${facts}</p></dd></div>`;
  });
  return rows.join("");
}

/** Each code with a link to what to do, and what it means. */
function failuresHtml(failures: ReferenceEntry["failures"], meaningOf: MeaningOf): string {
  const rows = failures.map(({ status, codes }) => {
    const lines = codes.map(
      (each) =>
        `<p><a href="/docs/errors#${each}">${code(each)}</a> ${escaped(meaningOf(each))}</p>`,
    );
    return `<div><dt>${status}</dt><dd>${lines.join("")}</dd></div>`;
  });
  return rows.join("");
}

/** The rows of each list of an entry; empty where it has none. */
export const entryHtml = (
  t: Translate,
  format: Format,
  meaningOf: MeaningOf,
  entry: ReferenceEntry,
) => ({
  parameters: fieldsHtml(t, format, entry.parameters),
  query: fieldsHtml(t, format, entry.query),
  headers: fieldsHtml(t, format, entry.headers),
  body: fieldsHtml(t, format, entry.body),
  answer: fieldsHtml(t, format, entry.answer, true),
  event: fieldsHtml(t, format, entry.event, true),
  failures: failuresHtml(entry.failures, meaningOf),
});
export type EntryHtml = ReturnType<typeof entryHtml>;
