import { expect, test } from "vitest";
import { csvResponse } from "./csv-response";

async function* lines() {
  yield "name\r\n";
  yield "Zoë\r\n";
}

test("a file for a spreadsheet begins with a byte order mark, by which Excel knows its encoding", async () => {
  const response = csvResponse({ name: "a.csv", lines: lines() }, {});
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.subarray(3).toString()).toBe("name\r\nZoë\r\n");
});
