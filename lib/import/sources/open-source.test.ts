import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import { openSource } from "./open-source";

test("a place that cannot be read is refused, with what to do instead", async () => {
  const folder = newFolder("source");
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
