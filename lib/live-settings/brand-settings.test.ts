import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BRAND_FILE_BYTES_MAX } from "../contract/limits";
import type { BrandSettingName } from "../contract/setting-names";
import { brandImage } from "./brand-image";
import { assertAllowed } from "./setting-list";

const svgUrl = (text: string) =>
  `data:image/svg+xml;base64,${Buffer.from(text).toString("base64")}`;
const svg = (inside: string, box = "0 0 40 20") =>
  svgUrl(
    `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${inside}</svg>`,
  );
const png = readFileSync(join(import.meta.dirname, "../../public/icon-192.png"));
const pngUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString("base64")}`;

test("a PNG and an SVG are taken with their sizes", () => {
  assertAllowed("brand_logo", svg("<path d='M0 0h9'/>"));
  assertAllowed("brand_icon", pngUrl(png));
  expect(brandImage(svg("<g/>"))).toMatchObject({ type: "image/svg+xml", width: 40, height: 20 });
  expect(brandImage(pngUrl(png))).toMatchObject({ type: "image/png", width: 192, height: 192 });
  expect(brandImage("")).toBeNull();
});

const tooTall = Buffer.from(png);
tooTall.writeUInt32BE(4000, 20);
const refused: readonly (readonly [BrandSettingName, string, string])[] = [
  ["brand_logo", svg("<script>alert(1)</script>"), "contains a script"],
  ["brand_logo", svg("<SVG:script/>"), "contains a script"],
  ["brand_logo", svg("<foreignObject/>"), "contains a script or a page"],
  ["brand_logo", svg("<g onload = 'alert(1)'/>"), "an event handler"],
  ["brand_logo", svg("<a href='javascript:alert(1)'/>"), "an address outside"],
  ["brand_logo", svg("<image xlink:href='https://example.com/x.png'/>"), "an address outside"],
  ["brand_logo", svg("<style>a{fill:url(//example.com)}</style>"), "an address outside"],
  [
    "brand_logo",
    svgUrl(
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    ),
    "a document type",
  ],
  ["brand_logo", svgUrl("<svg viewBox='0 0 1 1'/>"), "it is no SVG"],
  ["brand_logo", svgUrl('<svg xmlns="http://www.w3.org/2000/svg"/>'), "has no viewBox"],
  ["brand_logo", svgUrl("<html></html>"), "it is no SVG"],
  ["brand_logo", pngUrl(Buffer.from("GIF89a")), "it is no PNG"],
  ["brand_logo", pngUrl(tooTall), "192 × 4000"],
  ["brand_logo", `data:text/html;base64,${png.toString("base64")}`, "it is no data URL"],
  ["brand_logo", pngUrl(Buffer.concat([png, Buffer.alloc(BRAND_FILE_BYTES_MAX)])), "bytes"],
  ["brand_icon", svg("<g/>"), "40 × 20, which is no square"],
  ["brand_name_en", "x".repeat(41), "one line of at most 40 characters"],
  ["brand_name_zh", "two\nlines", "one line"],
  ["accent_light", "#ffe000", "it has 1.19:1"],
  ["accent_dark", "#000000", "contrast of 4.5:1 to every ground of the dark pages"],
  ["terms_en", "条".repeat(BRAND_FILE_BYTES_MAX / 3 + 1), "it has 65538 bytes"],
  ["privacy_zh", "a\u0000b", "without control characters"],
];
test.each(refused)("%s is refused with its name and what is wrong: %#", (name, value, problem) => {
  expect(() => assertAllowed(name, value)).toThrow(
    expect.objectContaining({ code: "invalid_value", param: name }),
  );
  expect(() => assertAllowed(name, value)).toThrow(problem);
});

test("every setting of the brand can be empty, and a page has as many bytes as are allowed", () => {
  assertAllowed("imprint_en", "");
  assertAllowed("accent_dark", "");
  assertAllowed("terms_en", `# Terms\r\n\n\t- ${"x".repeat(BRAND_FILE_BYTES_MAX - 14)}`);
});
