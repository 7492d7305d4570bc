/**
 * How long a movie is at most, as its header says: the `moov` box of an mp4 or mov file. A header
 * says it several times, and the longest counts.
 */

/** A header that cannot be read, or does not say how long the movie is. */
export class LengthUnknown extends Error {}

/** A box's type, and where its content is in the bytes. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const HEAD_BYTES = 8;
const LONG_HEAD_BYTES = 16;
const BOXES_MAX = 10_000;
const damaged = () => new LengthUnknown("its header is damaged");

/** The type of a box and the lengths of its head and of all of it; 0 for "to the end". */
export function boxAt(bytes: Buffer, at: number) {
  if (at + HEAD_BYTES > bytes.length) throw damaged();
  const short = bytes.readUInt32BE(at);
  const isLong = short === 1;
  if (isLong && at + LONG_HEAD_BYTES > bytes.length) throw damaged();
  const size = isLong ? Number(bytes.readBigUInt64BE(at + HEAD_BYTES)) : short;
  const head = isLong ? LONG_HEAD_BYTES : HEAD_BYTES;
  if (size !== 0 && size < head) throw damaged();
  return { type: bytes.toString("latin1", at + 4, at + HEAD_BYTES), head, size };
}

class Header {
  #boxes = 0;

  constructor(readonly bytes: Buffer) {}

  boxesIn({ start, end }: Pick<Box, "start" | "end">): Box[] {
    const boxes: Box[] = [];
    // What is shorter than a head ends a list in some files.
    for (let at = start; at + HEAD_BYTES <= end; ) {
      const { type, head, size } = boxAt(this.bytes, at);
      const next = size === 0 ? end : at + size;
      if (next > end || ++this.#boxes > BOXES_MAX) throw damaged();
      boxes.push({ type, start: at + head, end: next });
      at = next;
    }
    return boxes;
  }

  find(within: Box, ...path: string[]): Box | undefined {
    let found: Box | undefined = within;
    for (const type of path)
      found = found && this.boxesIn(found).find((each) => each.type === type);
    return found;
  }

  /** A number of 32 bits, or of 64 where the version of the box says so. */
  number(box: Box, at: number, isLong: boolean): number {
    const from = box.start + at;
    if (from + (isLong ? 8 : 4) > box.end) throw damaged();
    return isLong ? Number(this.bytes.readBigUInt64BE(from)) : this.bytes.readUInt32BE(from);
  }

  isLong(box: Box): boolean {
    if (box.start >= box.end) throw damaged();
    return this.bytes[box.start] === 1;
  }

  /** Of `mvhd` and `mdhd`, which have one form. */
  times(box: Box) {
    const isLong = this.isLong(box);
    const scale = this.number(box, isLong ? 20 : 12, false);
    const duration = this.number(box, isLong ? 24 : 16, isLong);
    if (scale === 0) throw damaged();
    // All ones: not known. It is in another box then.
    const isKnown = duration !== 2 ** 32 - 1 && duration < 2 ** 63;
    return { scale, seconds: isKnown ? duration / scale : 0 };
  }

  /** The sum over the entries of a list, each of `size` bytes. */
  sum(box: Box, size: number, each: (at: number) => number): number {
    const count = this.number(box, 4, false);
    if (HEAD_BYTES + count * size > box.end - box.start) throw damaged();
    let total = 0;
    for (let at = 0; at < count; at++) total += each(HEAD_BYTES + at * size);
    return total;
  }

  trackSeconds(track: Box, movieScale: number): number {
    const lengths = [0];
    const media = this.find(track, "mdia", "mdhd");
    const samples = this.find(track, "mdia", "minf", "stbl", "stts");
    const edits = this.find(track, "edts", "elst");
    if (media) {
      const { scale, seconds } = this.times(media);
      lengths.push(seconds);
      const shown = (at: number) =>
        samples ? this.number(samples, at, false) * this.number(samples, at + 4, false) : 0;
      if (samples) lengths.push(this.sum(samples, 8, shown) / scale);
    }
    if (edits) {
      const isLong = this.isLong(edits);
      const lasting = (at: number) => this.number(edits, at, isLong);
      lengths.push(this.sum(edits, isLong ? 20 : 12, lasting) / movieScale);
    }
    return Math.max(...lengths);
  }
}

/** `content`: of the `moov` box. Throws `LengthUnknown`. */
export function movieSeconds(content: Buffer): number {
  const header = new Header(content);
  const whole: Box = { type: "moov", start: 0, end: content.length };
  const boxes = header.boxesIn(whole);
  const movie = boxes.find(({ type }) => type === "mvhd");
  if (!movie) throw damaged();
  if (boxes.some(({ type }) => type === "mvex"))
    throw new LengthUnknown("it is in fragments, whose header does not say how long it is");
  const { scale, seconds } = header.times(movie);
  const tracks = boxes.filter(({ type }) => type === "trak");
  const longest = Math.max(seconds, ...tracks.map((track) => header.trackSeconds(track, scale)));
  if (!(longest > 0)) throw new LengthUnknown("its header does not say how long it is");
  return longest;
}
