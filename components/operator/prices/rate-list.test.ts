import { expect, test } from "vitest";
import { listedRates, listText, wrongLine } from "./rate-list";

const text = "input_token 80\n\n  second resolution=720p audio=no 30.5 \nimage size=1024x1024 20";

test("rates of a text field are those of its lines, and are written as they were", () => {
  const rates = listedRates(text);
  expect(rates).toEqual([
    { unit: "input_token", points: "80" },
    { unit: "second", resolution: "720p", audio: false, points: "30.5" },
    { unit: "image", size: "1024x1024", points: "20" },
  ]);
  expect(listedRates(listText(rates))).toEqual(rates);
  expect(wrongLine(text)).toBeNull();
});

test.each([
  "token 8",
  "image",
  "image 8 points",
  "image -1",
  "image 1.1234567",
  "second audio=maybe 8",
  "image size= 8",
  "image size=a size=b 8",
  "image colour=red 8",
])("the line %j is no rate", (line) => {
  expect(wrongLine(`input_token 80\n\n${line}`)).toBe(3);
});
