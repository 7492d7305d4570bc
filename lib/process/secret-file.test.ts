import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { readOrMakeSecret } from "./secret-file";

const folder = mkdtempSync(join(tmpdir(), "relay-secret-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a secret is created once, readable by its owner only, and the draft of a killed process is removed", () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(join(folder, `secret.${pid}`), "half");
  const secret = readOrMakeSecret(join(folder, "secret"));
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(readOrMakeSecret(join(folder, "secret"))).toBe(secret);
  expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret"]);
});
