import { createFormatter, createTranslator } from "next-intl";
import { expect, test } from "vitest";
import * as z from "zod";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { endpoints } from "@/lib/contract/endpoints";
import { apiReference } from "@/lib/contract/reference";
import type { Schema } from "@/lib/contract/reference-fields";
import en from "@/messages/en.json";
import chinese from "@/messages/zh-CN.json";
import { limitText, typeText } from "./field-text";

const bounds = [
  ...(["minimum", "maximum", "minLength", "maxLength"] as const),
  ...(["minItems", "maxItems", "maxProperties"] as const),
];

/** Every bound in a schema, with the path of the field that has it. */
function boundsIn(schema: Schema, path: string): [path: string, bound: number][] {
  const own = bounds.flatMap((name): [string, number][] => {
    const bound = schema[name];
    return bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER
      ? []
      : [[path, bound]];
  });
  return [
    ...own,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
      boundsIn(member, path === "" ? name : `${path}.${name}`),
    ),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((each) => boundsIn(each, path)),
    ...(schema.items ? boundsIn(schema.items, `${path}[]`) : []),
  ];
}

const texts = { en, "zh-CN": chinese };

test.each(["en", "zh-CN"] as const)(
  "the page shows every limit and every type of every field in %s",
  (locale) => {
    const t = createTranslator({ locale, messages: texts[locale], namespace: "reference" });
    const format = createFormatter({ locale });
    let seen = 0;
    for (const entry of apiReference()) {
      const row: EndpointRow = endpoints[entry.name];
      const fields = [...entry.query, ...entry.body];
      const schemas = [row.request, row.query].flatMap((schema) => (schema ? [schema] : []));
      for (const schema of schemas) {
        const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
        for (const [path, bound] of boundsIn(json, "")) {
          if (path === "") continue;
          // The limits of a list's items are beside those of the list.
          const name = fields.some((field) => field.name === path)
            ? path
            : path.replace(/\[\]$/, "");
          const shown = fields
            .find((field) => field.name === name)
            ?.limits.map((limit) => limitText(t, limit));
          expect(shown?.join("; "), `${entry.name} ${path}`).toContain(
            new Intl.NumberFormat(locale).format(bound),
          );
          seen++;
        }
      }
      for (const { name, types } of [...fields, ...entry.answer, ...entry.event]) {
        const text = typeText(t, format, types);
        expect(text, `${entry.name} ${name}`).not.toMatch(/\bany\b|reference\.|^$/);
      }
    }
    expect(seen).toBeGreaterThan(60);
  },
);

test("types and limits are words", () => {
  const t = createTranslator({ locale: "en", messages: en, namespace: "reference" });
  const format = createFormatter({ locale: "en" });
  expect(typeText(t, format, ["url", "dataUrl", { listOf: ["url", "dataUrl"] }])).toBe(
    "URL, data URL, or list of URLs or data URLs",
  );
  const limit = { kind: "characters", min: 1, max: 20_000, isEach: false } as const;
  expect(limitText(t, limit)).toBe("1 to 20,000 characters");
  expect(limitText(t, { ...limit, kind: "items", min: 2, max: undefined, isEach: true })).toBe(
    "each: at least 2 items",
  );
});
