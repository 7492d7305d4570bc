/** The documents name the tests of what they promise, and the command that runs them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const plain = (text: string) => text.replaceAll(/\s+/g, " ").replaceAll("`", "");

/** Whether `npm test` runs something of a file. */
const isInUsual = (path: string) =>
  path.endsWith(".spec.ts") ? read(path).includes("@core") : !path.includes(".whole.test.");

/** The files in a text, each with whether it is marked as run in the whole only. */
const filesIn = (text: string) =>
  [...text.matchAll(/`([^`]+\.(?:test\.tsx?|spec\.ts|mjs|ts))`( \(whole\))?/g)].map(
    ([, path = "", mark]) => ({
      path,
      isWhole: mark !== undefined || path.includes(".whole.test."),
    }),
  );

test("every statement of SECURITY.md names existing tests, and the command that runs them", () => {
  const statements = read("SECURITY.md").matchAll(/^(\d+)\. ((?:.+\n)(?: {3,4}.+\n)*)/gm);
  const proofs = [...statements].map(([, number, text = ""]) => ({
    number: Number(number),
    proof: text.slice(text.indexOf("Proof:")),
  }));
  expect(proofs.length).toBeGreaterThan(70);
  expect(proofs.map(({ number }) => number)).toEqual(proofs.map((_, index) => index + 1));
  for (const { number, proof } of proofs) {
    const files = filesIn(proof);
    expect(files.length, `${number}: ${proof}`).toBeGreaterThan(0);
    for (const { path, isWhole } of files) {
      expect(existsSync(join(root, path)), `${number}: ${path}`).toBe(true);
      expect(isWhole, `${number}: ${path} is marked (whole)`).toBe(!isInUsual(path));
    }
  }
});

test("docs/testing.md names the tests of what the README promises, and the command that runs them", () => {
  const table = read("docs/testing.md").split("| guarantee")[1] ?? "";
  const rows = table
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const readme = plain(read("README.md"));
  const told = rows.map(([, guarantee = ""]) => plain(guarantee));
  for (const guarantee of told) expect(readme).toContain(guarantee);
  for (const [, , proof = "", command] of rows) {
    const files = filesIn(proof);
    expect(files.length, proof).toBeGreaterThan(0);
    for (const { path } of files) expect(existsSync(join(root, path)), path).toBe(true);
    const isUsual = files.every(({ path }) => isInUsual(path));
    expect(command, proof).toBe(isUsual ? "`npm test`" : "`npm run test:whole`");
  }
  const promises =
    read("README.md").split("## What the ledger guarantees")[1]?.split("##")[0] ?? "";
  for (const [, first = ""] of promises.matchAll(/^\d+\. ([^.]+)/gm))
    expect(told.join(" ")).toContain(plain(first).split(",")[0]);
});

test("docs/architecture.md fits in 250 lines, and each file that it names exists", () => {
  const text = read("docs/architecture.md");
  expect(text.split("\n").length - 1).toBeLessThanOrEqual(250);
  const named = [
    ...text.matchAll(/`((?:app|components|lib|server|cli)\/[^`<*]+\.(?:tsx?|sql|mjs))`/g),
  ];
  expect(named.length).toBeGreaterThan(100);
  for (const [, path = ""] of named) expect(existsSync(join(root, path)), path).toBe(true);
});
