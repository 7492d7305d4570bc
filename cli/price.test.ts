import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestCommands } from "@/testing/cli/commands";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";

const folder = newFolder("rates");
const commands = await opened(openTestCommands());

function fileOf(content: unknown): string {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const setRates = (content: unknown, ...more: string[]) =>
  commands.relay("price set --model relay-v1 --rates", fileOf(content), ...more);
const listed = async () =>
  (await commands.json("price list")).prices.find(
    ({ model }: { model: string }) => model === "RelayV1",
  );

const rates = [
  { unit: "input_token", points: 100 },
  { unit: "cached_input_token", points: 12.5 },
  { unit: "output_token", points: "900" },
  { unit: "request", points: 0.000001 },
];

test("a whole list of rates is set from a file, and the price of tokens keeps the others", async () => {
  expect((await setRates(rates)).code).toBe(0);
  const others = "cached_input_token 12.5; request 0.000001";
  expect(await listed()).toMatchObject({ input: 100, output: 900, other_rates: others });
  await commands.json("price set --model RelayV1 --output 800");
  expect(await listed()).toMatchObject({ input: 100, output: 800, other_rates: others });
  expect((await setRates({ rates: rates.slice(0, 1) })).code).toBe(0);
  expect(await listed()).toMatchObject({ input: 100, output: 0, other_rates: null });
});

test.each<[string, unknown, RegExp]>([
  ["no JSON", "{", /is no JSON file/],
  ["no list", {}, /rates/],
  ["an unknown unit", [{ unit: "word", points: 1 }], /rates\[0\]\[unit\]/],
  ["no points", [rates[0], { unit: "request" }], /rates\[1\]\[points\]/],
  ["too many decimals", [{ unit: "request", points: 1.1234567 }], /rates\[0\]\[points\]/],
  ["an unknown member", [{ unit: "request", points: 1, colour: "red" }], /colour/],
  ["a unit twice", [...rates, { unit: "request", points: 1 }], /two rates for the same request/],
  ["more than 64 KiB", " ".repeat(70_000), /more than 65536 bytes/],
])("a file with %s is refused with its reason", async (_, content, reason) => {
  const { code, err } = await setRates(content);
  expect(code).not.toBe(0);
  expect(err).toMatch(reason);
});

test("a list is the whole price", async () => {
  const { code, err } = await setRates(rates, "--output", "5");
  expect([code, err]).toEqual([2, expect.stringContaining("--rates is the whole price")]);
});
