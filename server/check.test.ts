/**
 * Every step of `npm run check` finds what it is for. The breaches of a step are planted together:
 * each is a file, and the step names it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { isWhole } from "@/testing/extent/extent";
import { newFolder } from "@/testing/unit/new-folder";
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
  /** The lines in which the step says it. */
  readonly said: readonly RegExp[];
  readonly files: Files;
}

/** A file of one breach. The line with its name says what it is. */
const inFile = (name: string, said: string, text: string): Breach => ({
  said: [new RegExp(`^lib/${name}\\.ts\\b.*${said}`, "m")],
  files: { [`lib/${name}.ts`]: text },
});

const sql = (name: string, body: string) =>
  `-- Its promise.\ncreate or replace function ${name}() returns void language sql as $$\n${body}$$;\n`;
const inSql = (name: string, said: string, text: string): Breach => ({
  said: [new RegExp(`^lib/ledger/sql/${name}\\.sql${said}`, "m")],
  files: { [`lib/ledger/sql/${name}.sql`]: text },
});
const inMigration = (name: string, text: string): Breach => ({
  said: [
    new RegExp(`^prisma/migrations/${name}/migration\\.sql: makes a function or trigger`, "m"),
  ],
  files: { [`prisma/migrations/${name}/migration.sql`]: text },
});
const functionBreaches: Readonly<Record<string, Breach>> = {
  "a migration that creates a function": inMigration("1_creates", sql("a", "  select 1;\n")),
  "a migration that creates a trigger": inMigration(
    "2_trigger",
    "create trigger a before insert on b\n  for each row execute function c();\n",
  ),
  "a migration that patches a function": inMigration(
    "3_patches",
    "do $$ begin execute replace(pg_get_functiondef('a()'::regprocedure), 'b', 'c'); end $$;\n",
  ),
  "a file of more than 70 lines": inSql(
    "long",
    ": 71 lines; at most 70",
    sql(
      "long",
      many(68, () => "  -- A line.\n"),
    ),
  ),
  "a line of more than 100 columns": inSql(
    "wide",
    ":3: more than 100 columns",
    sql("wide", `  select '${"a".repeat(90)}';\n`),
  ),
  "a file with two functions": inSql(
    "two",
    ": defines two, other; only two",
    sql("two", "") + sql("other", ""),
  ),
  "a file with another name than its function": inSql("name", ": defines other", sql("other", "")),
  "a function without its promise": inSql(
    "bare",
    ": begins without a comment",
    sql("bare", "").replace("-- Its promise.\n", ""),
  ),
};

const breaches: Readonly<Record<string, Readonly<Record<string, Breach>>>> = {
  "format, lint": {
    "text that is not formatted": inFile("format", "format", "export const a=1\n"),
    any: inFile("any", "noExplicitAny", "export const a: any = 1;\n"),
    "an unused variable": inFile("variable", "noUnusedVariables", "const a = 1;\n"),
    "an unused import": inFile("import", "noUnusedImports", `import { join } from "node:path";\n`),
    "an assertion that a value is there": inFile(
      "assertion",
      "noNonNullAssertion",
      "export const first = (list: string[]) => list[0]!;\n",
    ),
  },
  types: {
    "a wrong type": inFile("wrong", "TS2322", `export const a: number = "1";\n`),
    "undefined for a member that may only be absent": inFile(
      "absent",
      "exactOptionalPropertyTypes",
      "export const terms: { name?: string } = { name: undefined };\n",
    ),
    "an element that may not be there": inFile(
      "element",
      "TS2322",
      "export const first = (list: string[]): string => list[0];\n",
    ),
  },
  promises: {
    "a promise that is not awaited, returned or handled, and no other": {
      said: [...[6, 7, 8].map((line) => new RegExp(`charge.ts:${line}:`)), / 3 errors\./],
      files: {
        "lib/ledger/charge.ts": `import type { Ledger } from "./settle";

export async function charge(ledger: Ledger): Promise<void> {
  await ledger.settle();
  void ledger.settle();
  ledger.settle(); // Line 6.
  ledger.release?.(); // Line 7.
  ledger.settle().then(() => undefined); // Line 8.
  ledger.settle().catch(() => undefined);
}
`,
        "lib/ledger/settle.ts": `export class Ledger {
  async settle(): Promise<void> {}
  release?: () => Promise<void> | undefined;
}
`,
        "server/main.ts": "export {};\n",
      },
    },
  },
  "unused code": {
    "a file that nothing imports": {
      said: [/^Unused files \(1\)/m, /^lib\/planted\.ts/m],
      files: { "lib/planted.ts": "export const a = 1;\n" },
    },
    "an exported value that nothing imports, and a function that only its own file uses": {
      said: [/^Unused exports \(2\)/m, /^LIMIT /m, /^nothing /m],
      files: {
        "lib/ledger/settle.ts": `export const LIMIT = 1;\nexport const nothing = () => Promise.resolve();\n\n${settle.replace("Promise.resolve", "nothing")}`,
      },
    },
    "an exported type that nothing imports, and an interface that only its own file uses": {
      said: [/^Unused exported types \(2\)/m, /^Amount /m, /^Settlement /m],
      files: {
        "lib/ledger/amount.ts": `export type Amount = bigint;\nexport interface Settlement {\n  id: string;\n}\nconst none: Settlement | null = null;\nexport const isNone = () => none === null;\n`,
        "server/main.ts": `import { isNone } from "../lib/ledger/amount";\nimport { settle } from "../lib/ledger/settle";\n\nawait settle();\nconsole.log(isNone());\n`,
      },
    },
  },
  casts: {
    "one type assertion too many": {
      said: [new RegExp(`^ *${CASTS_MAX + 1}\tlib/planted.ts`, "m")],
      files: {
        "lib/planted.ts": many(CASTS_MAX + 1, (index) => `export const a${index} = b as string;\n`),
      },
    },
  },
  functions: functionBreaches,
  sizes: {
    "a file of more than 300 lines": {
      said: [/^lib\/net\/long\.ts: 301 lines; at most 300/m],
      files: { "lib/net/long.ts": many(301, () => "// A line.\n") },
    },
    "a function of more than 70 lines": {
      said: [/^lib\/net\/planted\.ts:1: a function of 71 lines; at most 70/m],
      files: {
        "lib/net/planted.ts": `export function long() {\n${many(69, (index) => `  console.log(${index});\n`)}}\n`,
      },
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
  return { status, output: stripVTControlCharacters(stdout + stderr) };
}

beforeAll(() => {
  project = newFolder("check");
  for (const name of configuration) cpSync(join(root, name), join(project, name));
  for (const name of ["app", "components", "cli", "messages", "e2e", "testing", "tools"])
    mkdirSync(join(project, name));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  plant(clean);
});

/** In `npm test` the checks of the project itself show it. */
test.runIf(isWhole).each(steps.map(({ name }) => name))(
  "%s: a project without a breach passes",
  (name) => {
    const { status, output } = run(name);
    expect(status, output).toBe(0);
  },
);

describe.each(Object.entries(breaches))("%s", (step, planted) => {
  let result: ReturnType<typeof run>;
  beforeAll(() => {
    const files = Object.assign({}, ...Object.values(planted).map((breach) => breach.files));
    plant(files);
    result = run(step);
    clear(files);
  });

  test.each(Object.entries(planted))("%s: the check fails", (_, { said }) => {
    expect(result.status, result.output).toBeGreaterThan(0);
    for (const line of said) expect(result.output).toMatch(line);
  });
});

test("a breach is planted for every step", () => {
  // Those of the directions are in a project of their own: directions.test.ts.
  expect([...Object.keys(breaches), "directions"].sort()).toEqual(
    steps.map(({ name }) => name).sort(),
  );
});

test("directions of next to no modules do not pass", () => {
  const doubts = steps.flatMap(({ doubt }) => doubt?.("(4 modules, 3 dependencies cruised)") ?? []);
  expect(doubts).toEqual(["only 4 modules were read\n"]);
});
