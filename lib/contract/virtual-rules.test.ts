import { expect, test } from "vitest";
import type { TextModel } from "../catalog/model";
import { offeredModelsOf } from "../catalog/models";
import { fittingModels } from "../catalog/virtual-models";
import { readVirtualModels } from "./virtual-rules";

const [base] = offeredModelsOf("text");
if (base === undefined) throw new Error("there is no text model");
const modelOf = (id: string, more: Partial<TextModel> = {}): TextModel => ({
  ...base,
  ...{ id, alias: `${id}-alias`, synonyms: [], contextTokens: null, outputTokensMax: 1000 },
  ...more,
});

test("a line has a name and its rules; empty lines and comments are skipped", () => {
  const text = `# for chat
relay/best: models=one,acme-* context>=32000 output>=4000 input_price<=0.5 output_price<=40 tools images order=dearest tried=2

relay/any:`;
  expect(readVirtualModels(text)).toEqual([
    {
      name: "relay/best",
      family: "text",
      models: ["one", "acme-*"],
      contextMin: 32_000,
      outputMin: 4000,
      inputPriceMax: 0.5,
      outputPriceMax: 40,
      priceMax: null,
      needs: ["tools", "images"],
      order: "dearest",
      tried: 2,
    },
    {
      name: "relay/any",
      family: "text",
      models: [],
      contextMin: 0,
      outputMin: 0,
      inputPriceMax: null,
      outputPriceMax: null,
      priceMax: null,
      needs: [],
      order: "cheapest",
      tried: 4,
    },
  ]);
});

test.each([
  ["best: tried=1", /"best: tried=1" does not begin with a name/],
  ["Relay/Best:", /small letters/],
  ["relay/best: tried=0", /relay\/best: "tried=0" is no rule/],
  ["relay/best: context>=many", /"context>=many" is no rule/],
  ["relay/best: price<=many", /"price<=many" is no rule/],
  ["relay/best: family=sound", /"family=sound" is no rule/],
  ["relay/best: family=image tools", /with family=image the rules are models=/],
  ["relay/best: constructor", /"constructor" is no rule/],
  ["relay/best: models=a,,b", /is no rule/],
  ["relay/best:\nrelay/best:", /twice/],
  ["relay/a: models=relay/b\nrelay/b: models=one,relay/a", /relay\/a: relay\/b is a virtual model/],
  ["relay/a: models=relay/a", /relay\/a is a virtual model/],
  [Array.from({ length: 51 }, (_, nth) => `relay/${nth}:`).join("\n"), /at most 50/],
])("what is wrong is named: %s", (text, problem) => {
  expect(readVirtualModels(text)).toMatch(problem);
});

test("models fit by name, length, answer and what they can do, in the order of the names", () => {
  const models = [
    modelOf("one", { contextTokens: 64_000 }),
    modelOf("acme-two", { contextTokens: 64_000, hasTools: true, hasReasoning: true }),
    modelOf("acme-three", { inputTokensPerImageMax: 100, outputTokensMax: 9000 }),
  ].map((model) => ({ ...model, hasTools: model.id === "acme-two" }));
  const fitting = (rules: string) => {
    const read = readVirtualModels(`relay/x: ${rules}`);
    if (typeof read === "string" || read[0] === undefined) throw new Error(String(read));
    return fittingModels(read[0], models).map(({ id }) => id);
  };
  expect(fitting("")).toEqual(["one", "acme-two", "acme-three"]);
  expect(fitting("models=acme-*,one-alias")).toEqual(["acme-two", "acme-three", "one"]);
  expect(fitting("context>=64000")).toEqual(["one", "acme-two"]);
  expect(fitting("output>=1001")).toEqual(["acme-three"]);
  expect(fitting("tools")).toEqual(["acme-two"]);
  expect(fitting("models=none")).toEqual([]);
});
