import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSource } from "./open-source";

test("a place that cannot be read is refused, with what to do instead", async () => {
  const folder = mkdtempSync(join(tmpdir(), "relay-source-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const byLog = join(folder, "log.db");
  writeFileSync(byLog, `SQLite format 3\0\x10\0\x02\x02${"\0".repeat(100)}`);
  for (const [place, message] of [
    [join(folder, "nothing.db"), /nothing\.db: there is no such file/],
    ["mysql://root@localhost/x", /mysqldump/],
    [byLog, /vacuum into 'copy\.db'/],
  ] as const)
    await expect(openSource(place)).rejects.toMatchObject({
      code: "invalid_value",
      param: "database",
      message: expect.stringMatching(message),
    });
});
