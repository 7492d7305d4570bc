import { expect, test } from "vitest";
import { addressWith, isFound, MODELS_PER_PAGE, modelSearchOf, pageOf } from "./model-search";

test("what a URL may not ask for counts as absent", () => {
  const nothing = { query: "", family: null, order: "list", isReversed: false, page: 1 };
  expect(modelSearchOf({})).toEqual(nothing);
  expect(modelSearchOf({ family: "sound", sort: "cost", page: "0" })).toEqual(nothing);
  expect(modelSearchOf({ page: "1e9" })).toEqual(nothing);
  expect(modelSearchOf({ q: [" a ", "b"], family: ["video"], sort: "speed", page: "3" })).toEqual({
    query: "a",
    family: "video",
    order: "speed",
    isReversed: false,
    page: 3,
  });
  expect(modelSearchOf({ sort: "-price" })).toMatchObject({ order: "price", isReversed: true });
  expect(modelSearchOf({ sort: "-cost" })).toEqual(nothing);
  expect(modelSearchOf({ q: "a".repeat(9000) }).query).toHaveLength(200);
});

test("an address keeps the parameters that are not changed", () => {
  const asked = { q: "a b", sort: ["price", "speed"], page: "2", family: undefined };
  expect(addressWith("/models", asked, { page: null })).toBe("/models?q=a+b&sort=price");
  expect(addressWith("/models", { page: "2" }, { page: null })).toBe("/models");
  expect(addressWith("/models", {}, { sort: "-price" })).toBe("/models?sort=-price");
});

test("a model is found by every word of its texts, in any case and order", () => {
  const has = (query: string) =>
    isFound({ query, family: null }, "text", ["Acme-Large", "Reads long documents."]);
  expect(["", "acme", "LONG acme", "documents.  reads"].map(has)).toEqual([true, true, true, true]);
  expect(has("acme small")).toBe(false);
  expect(isFound({ query: "", family: "video" }, "text", ["a"])).toBe(false);
});

test("pages follow each other without a gap, and beyond the last is the last", () => {
  const items = Array.from({ length: 2 * MODELS_PER_PAGE + 1 }, (_, at) => at);
  const pages = [1, 2, 3].flatMap((page) => pageOf(items, page).shown);
  expect(pages).toEqual(items);
  expect(pageOf(items, 9)).toEqual({ shown: [100], page: 3, pages: 3, count: 101 });
  expect(pageOf([], 2)).toEqual({ shown: [], page: 1, pages: 1, count: 0 });
});
