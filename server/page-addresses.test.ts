import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** A missing address, and an upstream's own path. */
const elsewhere = new Set(["/api/nothing/here", "/api/v3"]);

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}

/** The string literals in a source; of templates, the pieces between the values. */
function textsIn(node: unknown, found: string[] = []): string[] {
  if (Array.isArray(node)) for (const each of node) textsIn(each, found);
  else if (node && typeof node === "object") {
    const { type, value, cooked } = node as { type?: string; value?: unknown; cooked?: unknown };
    if (type === "StringLiteral" && typeof value === "string") found.push(value);
    if (type === "TemplateElement" && typeof cooked === "string") found.push(cooked);
    for (const child of Object.values(node)) textsIn(child, found);
  }
  return found;
}

function addressesIn(source: string, tsx: boolean): string[] {
  const texts = textsIn(parseSync(source, { syntax: "typescript", tsx }));
  return texts.filter((text) => /^(\*\*)?\/api\//.test(text));
}

test("addresses of the pages' API are in its tables, and in no component, client module or browser test", () => {
  const files = [...filesOf("components"), ...filesOf("lib/client"), ...filesOf("e2e")];
  expect(files.length).toBeGreaterThan(250);
  const found = files
    .flatMap((file) =>
      addressesIn(readFileSync(join(root, file), "utf8"), file.endsWith("x")).map((text) => ({
        file,
        text,
      })),
    )
    .filter(({ text }) => !elsewhere.has(text));
  expect(found).toEqual([]);
});

test("the search finds an address", () => {
  const source = `
    const a = "/api/me"; // "/api/x"
    const b = \`/api/keys/\${a}\`;
    const c = \`\${a}/api/x\`;
    const d = <a href="/api/usage/csv">{a}</a>;
  `;
  expect(addressesIn(source, true)).toEqual(["/api/me", "/api/keys/", "/api/x", "/api/usage/csv"]);
});
