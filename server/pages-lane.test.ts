/** Pages that are requested at the same time are started one after the other. */
import { expect, test } from "vitest";
import { turns } from "./pages-lane";

test("one page is started in each turn of the event loop, in order of arrival, the first at once", async () => {
  const begin = turns();
  const begun: string[] = [];
  let turn = 0;
  const tick = setImmediate(function count() {
    turn++;
    if (begun.length < 5) setImmediate(count);
  });
  const page = async (name: string) => {
    await begin();
    begun.push(`${name} in turn ${turn}`);
  };
  await Promise.all(["a", "b", "c", "d", "e"].map(page));
  clearImmediate(tick);
  expect(begun[0]).toBe("a in turn 0");
  expect(begun.map((text) => text[0]).join("")).toBe("abcde");
  expect(new Set(begun.map((text) => text.split(" ").at(-1))).size).toBe(5);
});

test("after an idle moment a page is started at once again", async () => {
  const begin = turns();
  await Promise.all([begin(), begin()]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(begin()).toBeUndefined();
});
