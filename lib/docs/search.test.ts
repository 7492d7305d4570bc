import { expect, test } from "vitest";
import { anchorOf, findPlaces, wordsOf } from "./search";

const place = (title: string, text = "") => ({ path: `/${title}`, title, page: "Errors", text });

test("places with all words are found, those named so first", () => {
  const places = [
    place("Retries", "what points_held means"),
    place("points_held", "wait"),
    place("Limits"),
  ];
  const { count, shown } = findPlaces(places, " POINTS held ");
  expect([count, shown.map(({ title }) => title)]).toEqual([2, ["points_held", "Retries"]]);
  expect(findPlaces(places, "errors limits").shown.map(({ title }) => title)).toEqual(["Limits"]);
  expect(findPlaces(places, "  ")).toEqual({ count: 0, shown: [] });
  expect(findPlaces(Array(20).fill(place("Limits")), "limits")).toMatchObject({
    count: 20,
    shown: { length: 8 },
  });
});

test("texts are read without their marks, and their names are anchors", () => {
  expect(wordsOf({ title: "Left out", more: { text: "A <b>bold</b> end" }, last: "." })).toBe(
    "A bold end .",
  );
  // As the build reads "With <code>a.b</code> {n, plural, =0 {none} other {# things}} {name}".
  const read = ["With ", ["code", "a.b"], " ", ["n", 2, { "=0": "none", other: [0, " things"] }]];
  expect(wordsOf({ text: [...read, " ", ["name"]] })).toBe("With a.b none  things ");
  expect([anchorOf("claudeCode"), anchorOf("openCode"), anchorOf("key")]).toEqual([
    "claude-code",
    "opencode",
    "key",
  ]);
});
