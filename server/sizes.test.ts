import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import { oversizes } from "./sizes.mjs";

let project = "";

function plant(path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeEach(() => {
  project = newFolder("sizes");
  for (const folder of ["app", "components", "lib", "server", "cli"])
    mkdirSync(join(project, folder));
  for (const folder of ["messages", "e2e", "testing", "tools"]) mkdirSync(join(project, folder));
  // Most files are short.
  for (const name of ["a", "b", "c", "d", "e", "f"])
    plant(`lib/short/${name}.ts`, "export const a = 1;\n");
});

const body = (lines: number) => "  a();\n".repeat(lines);

test("a function counts from its first line to its last, whatever stands on them", () => {
  plant("lib/even.ts", `export function even() {\n${body(68)}}\n`);
  plant("lib/blank.ts", `export function blank() {\n${body(34)}${"\n".repeat(35)}}\n`);
  plant("lib/comment.ts", `export const a = () => {\n  /*\n${"   * é\n".repeat(67)}   */\n};\n`);
  plant("lib/brackets.ts", `const a = {\n  m() {\n${"    {\n    }\n".repeat(35)}  },\n};\n`);
  plant(
    "app/text.tsx",
    `// Ünïcode.\n\nconst a = async function () {\n  \`${"\n".repeat(70)}\`;\n};\n`,
  );
  plant("e2e/class.ts", `class A {\n  get b() {\n${body(69)}  }\n}\n`);
  expect(oversizes(project).sort()).toEqual([
    "app/text.tsx:3: a function of 73 lines; at most 70",
    "e2e/class.ts:2: a function of 71 lines; at most 70",
    "lib/blank.ts:1: a function of 71 lines; at most 70",
    "lib/brackets.ts:2: a function of 72 lines; at most 70",
    "lib/comment.ts:1: a function of 71 lines; at most 70",
  ]);
});

test("a test may be longer, and its helpers with it", () => {
  plant("lib/a.test.ts", `test("a", () => {\n${body(148)}});\n`);
  plant("e2e/b.spec.ts", `test("b", () => {\n${body(149)}});\n`);
  expect(oversizes(project)).toEqual(["e2e/b.spec.ts:1: a function of 151 lines; at most 150"]);
});

test("files count with their comments, and half of the production code is in short ones", () => {
  plant("testing/long.ts", `/*\n${" * a\n".repeat(299)} */\n`);
  plant("proxy.ts", "// a\n".repeat(301));
  plant("lib/db/generated/client.ts", "// a\n".repeat(1000));
  expect(oversizes(project).sort()).toEqual([
    "proxy.ts: 301 lines; at most 300",
    "testing/long.ts: 301 lines; at most 300",
  ]);
  for (const name of ["a", "b", "c", "d", "e", "f", "g"])
    plant(`cli/${name}.ts`, "// a\n".repeat(201));
  expect(oversizes(project).slice(-2)).toEqual([
    "half of the files have 201 lines or more; at most 60",
    "a twentieth of the files has 201 lines or more; at most 200",
  ]);
});
