import { expect, test } from "vitest";
import { type EndpointName, endpoints } from "@/lib/contract/endpoints";
import { referenceEntry } from "@/lib/contract/reference";
import { isKeyOf } from "@/lib/records";
import chinese from "./api.zh-CN.json";

const lists = ["parameters", "query", "headers", "body", "answer", "event"] as const;

/** All sentences of the API reference. */
function sentences(): Set<string> {
  const names = Object.keys(endpoints).filter((name): name is EndpointName =>
    isKeyOf(endpoints, name),
  );
  const entries = names.map(referenceEntry);
  const said = entries.flatMap((entry) => [
    entry.summary,
    ...lists.flatMap((list) => entry[list].map(({ description }) => description)),
  ]);
  return new Set(said.filter((text) => text !== ""));
}

test("every sentence of the API reference is there in Chinese", () => {
  expect([...sentences()].filter((text) => !isKeyOf(chinese, text))).toEqual([]);
});
