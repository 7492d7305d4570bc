import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSource, sourcesIn } from "./sources.mjs";

const root = join(import.meta.dirname, "..");

/** A missing address, and an upstream's own path. */
const elsewhere = new Set(["/api/nothing/here", "/api/v3"]);

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

function addressesIn(source: { readonly path: string; readonly text: string }): string[] {
  return textsIn(parseSource(source)).filter((text) => /^(\*\*)?\/api\//.test(text));
}

test("addresses of the pages' API are in its tables, and in no component, client module or browser test", () => {
  const files = [...sourcesIn(root, ["components", "lib/client", "e2e"])];
  expect(files.length).toBeGreaterThan(250);
  for (const file of files)
    expect(
      addressesIn(file).filter((text) => !elsewhere.has(text)),
      file.path,
    ).toEqual([]);
});

test("the search finds an address", () => {
  const text = `
    const a = "/api/me"; // "/api/x"
    const b = \`/api/keys/\${a}\`;
    const c = \`\${a}/api/x\`;
    const d = <a href="/api/usage/csv">{a}</a>;
  `;
  expect(addressesIn({ path: "a.tsx", text })).toEqual([
    "/api/me",
    "/api/keys/",
    "/api/x",
    "/api/usage/csv",
  ]);
});
