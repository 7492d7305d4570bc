import { expect, test } from "vitest";
import { billText } from "./bill-text";
import { readBill } from "./read-bill";

const csv = "请求ID,时间,模型,金额\nr1,2026-11-02 03:04:05,豆包-大模型,￥1.50\n";
/** The same in GB18030. */
const inGb18030 = Buffer.from(
  "c7ebc7f349442ccab1bce42cc4a3d0cd2cbdf0b6ee0a72312c323032362d31312d30322030333a30" +
    "343a30352cb6b9b0fc2db4f3c4a3d0cd2ca3a4312e35300a",
  "hex",
);
const utf16 = (text: string) => Buffer.from(text, "utf16le");
const refused = /The bill is neither UTF-8, nor UTF-16 with a byte order mark, nor GB18030/;

test.each([
  ["UTF-8", Buffer.from(csv)],
  ["UTF-8 with a mark", Buffer.from(`\uFEFF${csv}`)],
  ["UTF-16, little endian", utf16(`\uFEFF${csv}`)],
  ["UTF-16, big endian", utf16(`\uFEFF${csv}`).swap16()],
  ["GB18030", inGb18030],
])("a bill in %s is read", (_, bytes) => {
  const { lines } = readBill(billText(bytes), "csv", { currency: "CNY" });
  expect(lines).toMatchObject([{ ref: "r1", model: "豆包-大模型", amount: 1_500_000n }]);
});

test("a character of four bytes, and one outside the usual Chinese ones, are read in GB18030", () => {
  const bytes = Buffer.concat([inGb18030, Buffer.from([0x95, 0x32, 0x82, 0x36, 0x81, 0x40])]);
  expect(billText(bytes).endsWith("\u{20000}丂")).toBe(true);
});

test.each([
  ["Latin 1", Buffer.from("time,mod\u00e8le,co\u00fbt\n", "latin1")],
  ["Latin 1 in one word", Buffer.from("time,model,r\u00e9f\u00e9rence\n", "latin1")],
  ["UTF-16 without a mark", utf16("time,model\n")],
  ["half a character of UTF-16", utf16(`\uFEFF${csv}`).subarray(0, -1)],
  ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
  ["an archive", Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 8, 8])],
])("%s is refused with what is allowed", (_, bytes) => {
  expect(() => billText(bytes)).toThrow(refused);
});

test("a text that was decoded as another encoding is refused, and not read as nonsense", () => {
  for (const text of [inGb18030.toString("utf8"), utf16("time,model,cost\n").toString("latin1")])
    expect(() => readBill(text, "csv")).toThrow(refused);
});
