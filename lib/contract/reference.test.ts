import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { endpoints } from "./endpoints";
import { examples } from "./examples";
import { apiReference } from "./reference";

const entries = apiReference("https://relay.example");

test("the reference has every endpoint under /v1, in the table's order", () => {
  const rows = Object.values(endpoints).filter(({ path }) => path.startsWith("/v1/"));
  expect(entries.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
});

test("fields are listed flat by path, each once, with type and whether it is required", () => {
  const chat = entries.find(({ name }) => name === "createChatCompletion");
  const names = chat?.body.map(({ name }) => name) ?? [];
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      "model",
      "messages",
      "messages[].role",
      "messages[].content",
      "stream_options.include_usage",
    ]),
  );
  expect(chat?.body.find(({ name }) => name === "model")).toMatchObject({
    type: "string",
    isRequired: true,
  });
  expect(chat?.body.find(({ name }) => name === "stream")).toMatchObject({
    type: "boolean | null",
    isRequired: false,
  });
  expect(entries.find(({ name }) => name === "getUsage")?.query.map(({ name }) => name)).toEqual([
    "from",
    "to",
    "group_by",
  ]);
});

test("a shell parses each sample into the example's exact body", () => {
  for (const { path, samples } of entries.filter(({ method }) => method === "POST")) {
    expect(samples).toHaveLength(examples[path]?.length ?? 0);
    for (const [at, { code }] of samples.entries()) {
      const printed = execFileSync("sh", ["-c", code.replace(/^curl/, "printf '%s\\0'")], {
        encoding: "utf8",
      }).split("\0");
      expect(JSON.parse(printed[printed.indexOf("-d") + 1] ?? "")).toEqual(
        examples[path]?.[at]?.body,
      );
    }
  }
});
