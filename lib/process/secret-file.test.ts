import { spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import { readOrMakeSecret } from "./secret-file";

const folder = newFolder("secret");

test("a secret is created once, readable by its owner only, and the draft of a killed process is removed", () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(join(folder, `secret.${pid}`), "half");
  const secret = readOrMakeSecret(join(folder, "secret"));
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(readOrMakeSecret(join(folder, "secret"))).toBe(secret);
  expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret"]);
});
