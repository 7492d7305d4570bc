/** Tests that forms are read alike however they are split, and are bounded in parts and memory. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { jpegOf, pngOf, webpOf } from "@/testing/media/files";
import { endpoints } from "../contract/endpoints";
import { isRelayError } from "../failures/relay-error";
import { createBodyMemory } from "../limits/body-memory";
import type { Incoming } from "./exchange";
import { receiveForm } from "./form-body";

const MEBIBYTE = 1024 * 1024;
const { createVideoJob: video, createImageEdit: edit } = endpoints;
type Row = typeof video | typeof edit;
/** A name, a text, and for a file its bytes. */
type Part = readonly [name: string, content: string | Uint8Array];

const BOUNDARY = "----boundary0123456789";
const formType = (boundary = BOUNDARY) => `multipart/form-data; boundary=${boundary}`;

function formOf(parts: readonly Part[], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap(([name, content]) => {
    const isText = typeof content === "string";
    const file = isText ? "" : '; filename="a.bin"\r\nContent-Type: application/octet-stream';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(content as string), Buffer.from("\r\n")];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

async function receive(bytes: Buffer, row: Row = video, partBytes = 65_536, type = formType()) {
  const memory = createBodyMemory();
  const incoming: Incoming = {
    method: "POST",
    path: "",
    query: "",
    header: (name) => (name === "content-type" ? type : undefined),
    async receive(_limit, take) {
      for (let at = 0; at < bytes.length; at += partBytes)
        await take(bytes.subarray(at, at + partBytes));
    },
    onGone: () => {},
  };
  try {
    const { rawBody, value } = await receiveForm(row, incoming, memory, "acct");
    const text = JSON.stringify(value);
    const parts: Uint8Array[] = [];
    if (rawBody.images)
      for await (const piece of rawBody.images.spliceInto(text).pieces) parts.push(piece);
    const sha256 = rawBody.sha256().toString("hex");
    expect(memory.bytes).toBeGreaterThan(0);
    rawBody.release();
    return { body: JSON.parse(parts.length > 0 ? Buffer.concat(parts).toString() : text), sha256 };
  } finally {
    // Nothing stays charged, whether the form was read or refused.
    expect(memory.bytes).toBe(0);
  }
}

const refusal = (bytes: Buffer, row: Row = video, type = formType()) =>
  receive(bytes, row, 65_536, type).then(
    () => null,
    (error: unknown) => {
      if (!isRelayError(error)) throw error;
      return { code: error.code, param: error.param, message: error.message };
    },
  );

const png = pngOf(9, 9, 20_000);
const named = (type: string, bytes: Uint8Array) =>
  `data:image/${type};base64,${Buffer.from(bytes).toString("base64")}`;
const texts: readonly Part[] = [
  ["model", "super-relay-2"],
  ["prompt", "42"],
];

test("texts become the values that JSON would have, and files data URLs", async () => {
  const { body } = await receive(
    formOf([
      ...texts,
      ["seconds", "5"],
      ["seed", "11"],
      ["generate_audio", "true"],
      ["size", "null"],
      ["unknown", "7"],
      ["input_reference", png],
    ]),
  );
  expect(body).toEqual({
    model: "super-relay-2",
    prompt: "42",
    seconds: "5",
    seed: 11,
    generate_audio: true,
    size: "null",
    unknown: "7",
    input_reference: named("png", png),
  });
  const object = await receive(formOf([...texts, ["input_reference[image_url]", "https://a.b/c"]]));
  expect(object.body.input_reference).toEqual({ image_url: "https://a.b/c" });
  const options = "sequential_image_generation_options";
  const inside = await receive(formOf([...texts, [`${options}[max_images]`, "3"]]), edit);
  expect(inside.body[options]).toEqual({ max_images: 3 });
});

test("the first bytes alone decide what a file is", async () => {
  const smallest = Buffer.from(
    "RIFF\x1a\0\0\0WEBPVP8L\x0e\0\0\0/\0\0\0\0\x07\x10\x11\xfd\x0f",
    "latin1",
  );
  const { body } = await receive(formOf([["input_reference", smallest]]), video, 5);
  expect(body.input_reference).toBe(named("webp", smallest));
});

test("several images are a list, with and without brackets, in their order", async () => {
  const images = [png, jpegOf(9, 9), webpOf(9, 9)];
  const urls = [named("png", png), named("jpeg", jpegOf(9, 9)), named("webp", webpOf(9, 9))];
  for (const name of ["image", "image[]"]) {
    const parts = images.map((image): Part => [name, image]);
    expect((await receive(formOf([...texts, ...parts]), edit)).body.image).toEqual(urls);
  }
  expect((await receive(formOf([...texts, ["image", png]]), edit)).body.image).toBe(urls[0]);
  expect((await receive(formOf([...texts, ["image[]", png]]), edit)).body.image).toEqual([urls[0]]);
  const masked = formOf([...texts, ["image", png], ["mask", jpegOf(9, 9)]]);
  expect((await receive(masked, edit)).body).toMatchObject({ image: urls[0], mask: urls[1] });
});

test("a form is read alike however it is split, and hashed by what it says", async () => {
  const parts: readonly Part[] = [...texts, ["input_reference", png]];
  const whole = await receive(formOf(parts));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (partBytes) => {
      expect(await receive(formOf(parts), video, partBytes)).toEqual(whole);
    }),
    { numRuns: 20 },
  );
  const other = "another-boundary";
  expect(await receive(formOf(parts, other), video, 999, formType(other))).toEqual(whole);
  const changed = await receive(
    formOf([...parts.slice(0, 1), ["prompt", "43"], ...parts.slice(2)]),
  );
  expect(changed.sha256).not.toBe(whole.sha256);
});

test.each<[string, readonly Part[], Row, object]>([
  [
    "a file that is no image",
    [["input_reference", Buffer.from("GIF89a, long enough")]],
    video,
    { param: "input_reference", code: "invalid_value" },
  ],
  ["an empty file", [["input_reference", Buffer.alloc(0)]], video, { param: "input_reference" }],
  [
    "a file too large",
    [["input_reference", pngOf(9, 9, 10 * MEBIBYTE)]],
    video,
    { param: "input_reference", message: expect.stringContaining("10 MiB") },
  ],
  [
    "a file as a text",
    [
      ["image", png],
      ["style", png],
    ],
    edit,
    { param: "style", code: "unsupported_value" },
  ],
  [
    "two first frames",
    [
      ["input_reference", png],
      ["input_reference", png],
    ],
    video,
    { message: expect.stringContaining("1 file") },
  ],
  [
    "fifteen images",
    Array<Part>(15).fill(["image", png]),
    edit,
    { message: expect.stringContaining("14 files") },
  ],
  [
    "a text twice",
    [
      ["prompt", "a"],
      ["prompt", "b"],
    ],
    video,
    { param: "prompt" },
  ],
  [
    "a part without a name",
    [["", "a"]],
    video,
    { message: expect.stringContaining("must have a name") },
  ],
  [
    "a long name",
    [["a".repeat(101), "a"]],
    video,
    { message: expect.stringContaining("must have a name") },
  ],
  [
    "too many parts",
    Array.from({ length: 65 }, (_, at): Part => [`f${at}`, "a"]),
    video,
    { message: expect.stringContaining("64 parts") },
  ],
  [
    "too much text",
    [
      ["a", "a".repeat(MEBIBYTE)],
      ["b", "bc"],
    ],
    video,
    { code: "body_too_large" },
  ],
])("%s is refused", async (_, parts, row, expected) => {
  expect(await refusal(formOf(parts), row)).toMatchObject(expected);
});

test.each([
  'form-data; name="prompt"\r\nContent-Type: text/plain; charset=bogus',
  'form-data; name="prompt"\r\nContent-Type: text/plain; charset=utf-16le',
  "form-data; name*=utf-8''%E0%A4%A",
  "form-data; name=\"prompt\"; filename*=bogus''%ff",
  "form-data; name=prompt",
  'form-data; name="__proto__"',
  'form-data; name="__proto__[polluted]"',
  'form-data; name="prompt"\r\nContent-Transfer-Encoding: base64',
  'form-data;;;; name="prompt',
  `form-data; name="prompt"\r\n${"X-A: b\r\n".repeat(400)}X-B: c`,
  "attachment",
  "",
])("a part with an odd head (%#) is read or refused", async (head) => {
  const form = `--${BOUNDARY}\r\nContent-Disposition: ${head}\r\n\r\nhello\r\n--${BOUNDARY}--\r\n`;
  const found = await refusal(Buffer.from(form));
  if (found !== null) expect(found.code).toMatch(/^(in|unsupported_)/);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test.each(["constructor", "toString", "__proto__"])(
  "a field %s is like any unknown one",
  async (name) => {
    expect(await refusal(formOf([...texts, [name, "1"]]))).toBeNull();
  },
);

test("a form without a boundary, or that is cut, is refused in words", async () => {
  const whole = formOf([...texts, ["input_reference", png]]);
  expect(await refusal(whole, video, "multipart/form-data")).toMatchObject({
    message: expect.stringContaining("boundary"),
  });
  for (let end = 0; end < whole.length - 4; end += end < 600 ? 1 : 997)
    expect(await refusal(whole.subarray(0, end)), `cut at ${end}`).toMatchObject({
      code: "invalid_value",
    });
});

test("hundreds of damaged forms are read or refused, and always end", {
  timeout: 60_000,
}, async () => {
  const whole = formOf([...texts, ["seconds", "5"], ["input_reference", pngOf(9, 9, 200)]]);
  const damage = fc.record({
    at: fc.nat(whole.length),
    removed: fc.nat(40),
    added: fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc
        .constantFrom(
          `--${BOUNDARY}`,
          `\r\n--${BOUNDARY}\r\n`,
          `\r\n--${BOUNDARY}--`,
          "\r\n\r\n",
          "\r\n",
          "name=",
          '"',
          "\0",
        )
        .map((text) => Buffer.from(text)),
    ),
  });
  const several = { minLength: 1, maxLength: 12, size: "max" } as const;
  const runs = extent(500, 5000);
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(damage, several), async (damages) => {
      let bytes = whole;
      for (const { at, removed, added } of damages)
        bytes = Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);
      const found = await refusal(bytes, video);
      if (found === null) return;
      refused++;
      expect(["invalid_value", "unsupported_value", "body_too_large"]).toContain(found.code);
    }),
    { numRuns: runs },
  );
  expect(refused).toBeGreaterThan(runs / 5);
});
