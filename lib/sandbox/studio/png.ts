import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Uint8Array): Buffer {
  const part = Buffer.alloc(12 + data.length);
  part.writeUInt32BE(data.length, 0);
  part.write(type, 4, "latin1");
  part.set(data, 8);
  part.writeUInt32BE(crc32(part.subarray(4, 8 + data.length)), 8 + data.length);
  return part;
}

/** Encodes RGBA pixels as a PNG file of 8-bit RGB. */
export function encodePng(pixels: Uint8Array, width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  // Each row starts with its filter: 2, the difference from the row above, since most rows of these
  // images are alike.
  const stride = width * 3 + 1;
  const raw = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const out = y * stride + 1;
    raw[out - 1] = 2;
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * width + x) * 4 + channel;
        raw[out + x * 3 + channel] =
          (pixels[at] ?? 0) - (y === 0 ? 0 : (pixels[at - width * 4] ?? 0));
      }
    }
  }
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("tEXt", Buffer.from("Comment\0made by a sandbox", "latin1")),
    chunk("IDAT", deflateSync(raw, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
