import { expect, test } from "vitest";
import { gifOf, jpegOf, mp4Of, pngOf, webpOf } from "@/testing/media/files";
import { sniff } from "./sniff";

test.each([
  ["a PNG", pngOf(2048, 1024), "png", { width: 2048, height: 1024 }],
  ["a JPEG", jpegOf(640, 480), "jpg", { width: 640, height: 480 }],
  ["a JPEG behind long metadata", jpegOf(640, 480, 150_000), "jpg", { width: 640, height: 480 }],
  ["a GIF", gifOf(640, 480), "gif", { width: 640, height: 480 }],
  ["a WebP", webpOf(1280, 720), "webp", { width: 1280, height: 720 }],
  ["a video", mp4Of(), "mp4", null],
])("%s is recognized by its bytes, with its size", (_, bytes, extension, size) => {
  expect(sniff(bytes)).toMatchObject({ extension, size });
});

test("an image is recognized as soon as enough of it has arrived, and not before", () => {
  const whole = jpegOf(640, 480, 5000);
  for (let length = 0; length < whole.length; length += 97) {
    const sniffed = sniff(whole.subarray(0, length));
    if (sniffed !== "more") expect(sniffed).toMatchObject({ size: { width: 640, height: 480 } });
  }
  expect(sniff(whole.subarray(0, 5000))).toBe("more");
});

test.each([
  ["a page", Buffer.from(`<!doctype html><script>alert(1)</script>${" ".repeat(100)}`)],
  [
    "a drawing with scripts",
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>${" ".repeat(100)}`),
  ],
  ["a GIF of no width", Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(100)])],
  ["zeros", Buffer.alloc(100)],
  ["a PNG of no width", pngOf(0, 10)],
  [
    "a PNG without its header",
    Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100)]),
  ],
  [
    "a JPEG that begins with the scan",
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xda]), Buffer.alloc(100)]),
  ],
])("%s is not a kind that is served", (_, bytes) => {
  expect(sniff(bytes)).toBe(null);
});
