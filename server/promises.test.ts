import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");

const settle = `
export class Ledger {
  async settle(): Promise<void> {}
  release?: () => Promise<void> | undefined;
}`;

const planted = `
import type { Ledger } from "./settle";
export async function charge(ledger: Ledger): Promise<void> {
  ledger.settle(); // line 4
  ledger.release?.(); // line 5
  ledger.settle().then(() => undefined); // line 6
  await ledger.settle();
  void ledger.settle();
  ledger.settle().catch(() => undefined);
}`;

test("a promise that is not awaited, returned or handled fails the check, and no other", () => {
  const folder = mkdtempSync(join(tmpdir(), "relay-promises-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of [".oxlintrc.json", "tsconfig.json"])
    cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "settle.ts"), settle);
  writeFileSync(join(folder, "charge.ts"), planted);
  const program = join(root, "node_modules/oxlint/bin/oxlint");
  const { status, stdout } = spawnSync(process.execPath, [program, "--format=unix", "charge.ts"], {
    cwd: folder,
    encoding: "utf8",
  });
  const lines = [...stdout.matchAll(/^charge\.ts:(\d+):.*no-floating-promises/gm)].map(([, line]) =>
    Number(line),
  );
  expect(lines.sort(), stdout).toEqual([4, 5, 6]);
  expect(status).toBe(1);
});
