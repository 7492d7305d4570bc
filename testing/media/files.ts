/** The smallest files of each kind, for tests. After the head they contain filler. */
const pattern = Buffer.from(Array.from({ length: 251 }, (_, at) => (at * 31) % 251));
const filler = (length: number) => Buffer.alloc(length, pattern);

export function pngOf(width: number, height: number, length = 600): Buffer {
  const head = Buffer.alloc(33);
  head.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  head.writeUInt32BE(13, 8);
  head.write("IHDR", 12, "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, filler(length)]);
}

/** `metadata`: the length of a segment before the frame header. */
export function jpegOf(width: number, height: number, metadata = 20): Buffer {
  const segments: Buffer[] = [Buffer.from([0xff, 0xd8])];
  for (let left = metadata; left > 0; left -= 60_000) {
    const size = Math.min(left, 60_000);
    const segment = Buffer.alloc(size + 4);
    segment.writeUInt16BE(0xffe1, 0);
    segment.writeUInt16BE(size + 2, 2);
    segments.push(segment);
  }
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([...segments, frame, filler(100)]);
}

export function webpOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(40);
  head.write("RIFF", 0, "latin1");
  head.write("WEBPVP8X", 8, "latin1");
  head.writeUIntLE(width - 1, 24, 3);
  head.writeUIntLE(height - 1, 27, 3);
  return head;
}

export function mp4Of(length = 1000): Buffer {
  const head = Buffer.alloc(32);
  head.writeUInt32BE(32, 0);
  head.write("ftypisom", 4, "latin1");
  return Buffer.concat([head, filler(length)]);
}

const boxOf = (type: string, ...parts: Uint8Array[]) => {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
};

/** `mvhd` or `mdhd`, of version 0. */
function timesOf(type: string, scale: number, seconds: number): Buffer {
  const content = Buffer.alloc(100);
  content.writeUInt32BE(scale, 12);
  content.writeUInt32BE(Math.round(scale * seconds), 16);
  return boxOf(type, content);
}

/** The lengths that the boxes of a movie's header say; each as the first unless named. */
export interface MovieLengths {
  readonly movie: number;
  readonly track?: number;
  readonly samples?: number;
}

/** A `moov` box with one track. */
export function moovOf({ movie, track = movie, samples = movie }: MovieLengths): Buffer {
  const entries = Buffer.alloc(16);
  entries.writeUInt32BE(1, 4);
  entries.writeUInt32BE(Math.round(samples * 25), 8);
  entries.writeUInt32BE(512, 12);
  const table = boxOf("minf", boxOf("stbl", boxOf("stts", entries)));
  const media = boxOf("mdia", timesOf("mdhd", 12_800, track), table);
  return boxOf("moov", timesOf("mvhd", 1000, movie), boxOf("trak", media));
}

/** A movie whose header is before or after its content. */
export function movieOf(moov: Buffer, place: "start" | "end" = "end", contentBytes = 1000): Buffer {
  const type = boxOf("ftyp", Buffer.from("isom\0\0\0\0isom"));
  const content = boxOf("mdat", Buffer.alloc(contentBytes));
  return Buffer.concat(place === "start" ? [type, moov, content] : [type, content, moov]);
}

export function gifOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.write("GIF89a", 0, "latin1");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return Buffer.concat([head, filler(100)]);
}
