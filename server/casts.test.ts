import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import { CASTS_MAX, countCasts } from "./casts.mjs";

let project = "";

function plant(path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeEach(() => {
  project = newFolder("casts");
  for (const folder of ["app", "components", "lib", "server", "cli"])
    mkdirSync(join(project, folder));
});

test("every form of type assertion counts, anywhere in production code", () => {
  plant(
    "app/page.tsx",
    "export default () => <p title={document.title as string}>{(1 as number) + 1}</p>;",
  );
  plant("components/card.tsx", "export const card = (value: unknown) => value as unknown as Card;");
  plant("lib/old.ts", "export const old = <string>value;");
  plant("server/main.ts", "export const main = (\n  read()\n) as Main;");
  expect([...countCasts(project)].sort()).toEqual([
    ["app/page.tsx", 2],
    ["components/card.tsx", 2],
    ["lib/old.ts", 1],
    ["server/main.ts", 1],
  ]);
});

test("other uses of `as`, tests and generated code do not count", () => {
  plant(
    "lib/list.ts",
    'import { a as b } from "./a";\nexport const list = [b] as const satisfies readonly string[]; // as it was',
  );
  plant("lib/list.test.ts", "const list = read() as string[];");
  plant("lib/db/generated/client.ts", "export const client = read() as Client;");
  expect(countCasts(project).size).toBe(0);
});

test("one assertion above the bound fails the check", () => {
  const runs = (count: number) => {
    plant(
      "lib/many.ts",
      Array.from({ length: count }, (_, at) => `export const cast${at} = read() as string;`).join(
        "\n",
      ),
    );
    return spawnSync(process.execPath, [join(import.meta.dirname, "casts.mjs"), project], {
      encoding: "utf8",
    });
  };
  expect(runs(CASTS_MAX).status).toBe(0);
  const { status, stdout } = runs(CASTS_MAX + 1);
  expect(status).toBe(1);
  expect(stdout).toContain(`${CASTS_MAX + 1}\tlib/many.ts`);
});
