import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CASTS_MAX } from "./casts.mjs";
import { steps } from "./check.mjs";

type Files = Readonly<Record<string, string>>;

const root = join(import.meta.dirname, "..");
const configuration = [
  ".dependency-cruiser.mjs",
  ".dependency-layers.mjs",
  ".gitignore",
  ".oxlintrc.json",
  "biome.json",
  "knip.json",
  "tsconfig.json",
];

const settle = `export async function settle(): Promise<void> {
  await Promise.resolve();
}
`;
const clean: Files = {
  "package.json": `{\n  "name": "planted",\n  "private": true,\n  "type": "module"\n}\n`,
  "lib/ledger/settle.ts": settle,
  "server/main.ts": `import { settle } from "../lib/ledger/settle";\n\nawait settle();\n`,
};

const many = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join("");

interface Breach {
  /** The step that finds it. */
  readonly step: string;
  /** What the step says. */
  readonly said: readonly string[];
  readonly files: Files;
}

const lint = (said: string, text: string): Breach => ({
  step: "format, lint",
  said: [said],
  files: { "lib/planted.ts": text },
});
const types = (said: string, text: string): Breach => ({
  step: "types",
  said: [said],
  files: { "lib/planted.ts": text },
});

const breaches: Readonly<Record<string, Breach>> = {
  "text that is not formatted": lint("format", "export const a=1\n"),
  any: lint("noExplicitAny", "export const a: any = 1;\n"),
  "an unused variable": lint("noUnusedVariables", "const a = 1;\n"),
  "an unused import": lint("noUnusedImports", `import { join } from "node:path";\n`),
  "an assertion that a value is there": lint(
    "noNonNullAssertion",
    "export const first = (list: string[]) => list[0]!;\n",
  ),
  "a wrong type": types("TS2322", `export const a: number = "1";\n`),
  "undefined for a member that may only be absent": types(
    "exactOptionalPropertyTypes",
    "export const terms: { name?: string } = { name: undefined };\n",
  ),
  "an element that may not be there": types(
    "TS2322",
    "export const first = (list: string[]): string => list[0];\n",
  ),
  "a promise that nobody awaits": {
    step: "promises",
    said: ["no-floating-promises"],
    files: { "server/main.ts": `import { settle } from "../lib/ledger/settle";\n\nsettle();\n` },
  },
  "a cycle of files, a cycle of folders, an import of a higher layer, a folder without a layer": {
    step: "directions",
    said: [
      "error no-cycles: lib/net/one.ts",
      "error no-cycles-between-component-folders: components/lists",
      "error layer-ledger: lib/ledger/price.ts",
      "error every-folder-has-a-layer: lib/refunds/refund.ts",
    ],
    files: {
      "lib/net/one.ts": `import { two } from "./two";\n\nexport const one = () => two;\n`,
      "lib/net/two.ts": `import { one } from "./one";\n\nexport const two = () => one;\n`,
      "components/lists/head.ts": "export const head = 1;\n",
      "components/lists/row.ts": `export { tag } from "../requests/tag";\n`,
      "components/requests/tag.ts": "export const tag = 1;\n",
      "components/requests/list.ts": `export { head } from "../lists/head";\n`,
      "lib/catalog/models.ts": "export const models = [];\n",
      "lib/ledger/price.ts": `export { models } from "../catalog/models";\n`,
      "lib/refunds/refund.ts": "export const refund = 1;\n",
    },
  },
  "a file that nothing imports": {
    step: "unused code",
    said: ["Unused files (1)", "lib/planted.ts"],
    files: { "lib/planted.ts": "export const a = 1;\n" },
  },
  "an exported value that nothing imports, and a function that only its own file uses": {
    step: "unused code",
    said: ["Unused exports (2)", "LIMIT", "nothing"],
    files: {
      "lib/ledger/settle.ts": `export const LIMIT = 1;\nexport const nothing = () => Promise.resolve();\n\n${settle.replace("Promise.resolve", "nothing")}`,
    },
  },
  "an exported type that nothing imports, and an interface that only its own file uses": {
    step: "unused code",
    said: ["Unused exported types (2)", "Amount", "Settlement"],
    files: {
      "lib/ledger/settle.ts": `export type Amount = bigint;\nexport interface Settlement {\n  id: string;\n}\nconst none: Settlement | null = null;\n${settle.replace("resolve()", "resolve(none)")}`,
    },
  },
  "one type assertion too many": {
    step: "casts",
    said: [`${CASTS_MAX + 1}\tlib/planted.ts`],
    files: {
      "lib/planted.ts": many(CASTS_MAX + 1, (index) => `export const a${index} = b as string;\n`),
    },
  },
  "a file of more than 300 lines": {
    step: "sizes",
    said: ["lib/net/planted.ts: 301 lines; at most 300"],
    files: { "lib/net/planted.ts": many(301, () => "// A line.\n") },
  },
  "a function of more than 70 lines": {
    step: "sizes",
    said: ["lib/net/planted.ts:1: a function of 71 lines; at most 70"],
    files: {
      "lib/net/planted.ts": `export function long() {\n${many(69, (index) => `  console.log(${index});\n`)}}\n`,
    },
  },
};

let project = "";

function plant(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

function clear(files: Files): void {
  for (const path of Object.keys(files)) rmSync(join(project, path));
  plant(clean);
}

/** Runs the step as `npm run check` does, on the planted project. */
function run(name: string) {
  const { command } = steps.find((step) => step.name === name) ?? {};
  if (command === undefined) throw new Error(`there is no step ${name}`);
  const [program, args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: project, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "relay-check-"));
  for (const name of configuration) cpSync(join(root, name), join(project, name));
  for (const name of ["app", "components", "cli", "messages", "bench", "demo", "e2e", "testing"])
    mkdirSync(join(project, name));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  plant(clean);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test.each(steps.map(({ name }) => name))("%s: a project without a breach passes", (name) => {
  const { status, output } = run(name);
  expect(status, output).toBe(0);
});

test.each(Object.entries(breaches))("%s: the check fails", (_, { step, said, files }) => {
  plant(files);
  const { status, output } = run(step);
  clear(files);
  expect(status, output).toBeGreaterThan(0);
  for (const text of said) expect(output).toContain(text);
});

test("a breach is planted for every step", () => {
  const planted = new Set(Object.values(breaches).map(({ step }) => step));
  expect(steps.filter(({ name }) => !planted.has(name))).toEqual([]);
});

test("directions of next to no modules do not pass", () => {
  const doubts = steps.flatMap(({ doubt }) => doubt?.("(4 modules, 3 dependencies cruised)") ?? []);
  expect(doubts).toEqual(["only 4 modules were read\n"]);
});
