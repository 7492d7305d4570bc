import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeDemo } from "./folder";

test("a folder with other files is refused and stays as it is", async () => {
  const other = mkdtempSync(join(tmpdir(), "relay-other-"));
  try {
    writeFileSync(join(other, "secret"), "of an installation");
    await expect(removeDemo(other)).rejects.toThrow("is not a demo's folder");
    expect(existsSync(join(other, "secret"))).toBe(true);
  } finally {
    rmSync(other, { recursive: true });
  }
});
