import { readdirSync, readFileSync } from "node:fs";
import { parseSync } from "@swc/core";
import { expect, test } from "vitest";
import { isRecord } from "@/lib/values/records";

const landmarks = new Set(["Card", "section", "nav", "aside", "search", "form"]);
/** Where each of a page's has a name of its own. */
const named = [
  "components/docs/guide-nav.tsx",
  "components/operator/settings/brand-preview.tsx",
  "components/playground/studio-form.tsx",
  "components/ui/code-block.tsx",
];

/** Whether a name is one of our texts, without a value: `t("results")`. */
function isFixed(expression: unknown): boolean {
  if (!isRecord(expression) || expression.type !== "CallExpression") return false;
  const given = expression.arguments;
  if (!Array.isArray(given) || given.length !== 1) return false;
  return isRecord(given[0]) && isRecord(given[0].expression)
    ? given[0].expression.type === "StringLiteral"
    : false;
}

const attributesOf = (node: Record<string, unknown>) =>
  (Array.isArray(node.attributes) ? node.attributes : []).flatMap((each: unknown) =>
    isRecord(each) && isRecord(each.name) ? [{ name: each.name.value, value: each.value }] : [],
  );

/** The landmarks of a component whose names are made of what they show. */
function namedByData(node: unknown, found: string[] = []): string[] {
  if (Array.isArray(node)) for (const each of node) namedByData(each, found);
  if (!isRecord(node)) return found;
  if (node.type === "JSXOpeningElement" && isRecord(node.name)) {
    const attributes = attributesOf(node);
    const label = attributes.find(({ name }) => name === "aria-label")?.value;
    if (
      landmarks.has(String(node.name.value)) &&
      !attributes.some(({ name }) => name === "isOneOfMany") &&
      isRecord(label) &&
      label.type === "JSXExpressionContainer" &&
      !isFixed(label.expression)
    )
      found.push(String(node.name.value));
  }
  for (const child of Object.values(node)) namedByData(child, found);
  return found;
}
const landmarksOf = (source: string) =>
  namedByData(parseSync(source, { syntax: "typescript", tsx: true }));

test("what a list shows many of is no landmark, since a page's landmarks have a name each", () => {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".tsx"))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    landmarksOf(readFileSync(file, "utf8")).map((what) => `${file}: ${what}`),
  );
  expect(found.filter((each) => !named.some((file) => each.startsWith(file)))).toEqual([]);
  expect(
    landmarksOf(
      'const a = <><Card aria-label={name} /><section aria-label={t("of", { name })} /><Card isOneOfMany aria-label={name} /><nav aria-label={t("pages")} /></>;',
    ),
  ).toEqual(["Card", "section"]);
});
