/** The page of image fields, and the fields that the types of a real client have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInModels } from "@/lib/catalog/built-in";
import { catalogueOf, replaceCatalogue } from "@/lib/catalog/models";
import { imageFields, outcomeOf } from "@/testing/relay/image-fields";
import { seriesModel } from "@/testing/relay/image-series";

beforeAll(() => replaceCatalogue(catalogueOf([...builtInModels, seriesModel()])));
afterAll(() => replaceCatalogue(catalogueOf(builtInModels)));

function pageText(): string {
  const head = ["field", "what becomes of it", "clients whose types have it"];
  const rows = imageFields.map((each) => [
    `\`${each.field}\``,
    outcomeOf(each),
    each.clients.join(", ") || "–",
  ]);
  const widths = head.map((_, at) =>
    Math.max(...[head, ...rows].map((row) => (row[at] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, at) => (cells[at] ?? "").padEnd(width)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return `# Fields of images

What becomes of each documented field of \`POST /v1/images/generations\`, for a model that offers all
of it. "Priced": the order holds another amount because of it. "Passed": it reaches the upstream, or
we do what it says. A model that does not offer a field refuses it by name.

This page is made from \`testing/relay/image-fields.ts\`: \`npx vitest run server/image-fields.test.ts -u\` writes it.

${[line(head), rule, ...rows.map(line)].join("\n")}
`;
}

test("docs/image-fields.md is the table of what becomes of each field of an image", async () => {
  await expect(pageText()).toMatchFileSnapshot("../docs/image-fields.md");
});

test("every field of the tasks' upstream is passed or priced, except for tools without a price", () => {
  const ofArk = imageFields.filter(({ clients }) => clients.includes("Volcengine SDK"));
  const others = ofArk.filter((each) => !["passed", "priced"].includes(outcomeOf(each)));
  expect(others.map(({ field }) => field)).toEqual(["tools"]);
});

test("OpenAI's client has no parameter of images that the table lacks", () => {
  const types = join(import.meta.dirname, "../node_modules/openai/resources/images.d.ts");
  const text = readFileSync(types, "utf8");
  const start = text.indexOf("interface ImageGenerateParamsBase {");
  const body = text.slice(start, text.indexOf("\n}", start));
  const names = [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(8);
  const known = imageFields.map(({ field }) => field.split(/[,.]/)[0]);
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});
