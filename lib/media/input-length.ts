/** How long a video at a client's address is: read from its header, wherever that is in the file. */
import type { Agent } from "undici";
import { createGuardedAgent } from "../net/guarded-agent";
import { failureOf } from "./fetch-result";
import { boxAt, LengthUnknown, movieSeconds } from "./movie-length";
import { type RangeBounds, RangedFile } from "./ranged-file";

export interface InputLengths {
  /**
   * The seconds of the mp4 or mov file at `url`. Rejects with a `LengthUnknown`, whose message has no
   * address and no text from outside.
   */
  secondsOf(url: string): Promise<number>;
  close(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;
export const lengthBounds: RangeBounds = {
  bytesMax: 4 * MEBIBYTE,
  requestsMax: 32,
  totalMs: 15_000,
};
/** Of the boxes before the header. */
const BOXES_MAX = 32;
const HEAD_BYTES = 16;
const HEADER = "moov";
/** What a movie may begin with. */
const beginnings = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"];

async function readLength(file: RangedFile): Promise<number> {
  for (let at = 0, boxes = 0; boxes < BOXES_MAX; boxes++) {
    const start = await file.bytes(at, HEAD_BYTES);
    if (start.length < 8) break;
    const { type, head, size } = boxAt(start, 0);
    if (at === 0 && !beginnings.includes(type)) throw new LengthUnknown("it is no mp4 or mov file");
    if (type === HEADER) {
      if (size === 0) break;
      const content = await file.bytes(at + head, size - head);
      if (content.length < size - head) throw new LengthUnknown("its header is cut off");
      return movieSeconds(content);
    }
    if (size === 0) break;
    at += size;
  }
  throw new LengthUnknown("no header was found in it");
}

/** Connects to global addresses only. */
export function createInputLengths(
  agent: Agent = createGuardedAgent(),
  bounds = lengthBounds,
): InputLengths {
  return {
    async secondsOf(url) {
      try {
        return await readLength(new RangedFile(agent, url, bounds));
      } catch (error) {
        if (error instanceof LengthUnknown) throw error;
        throw new LengthUnknown(failureOf(error).message.replace("the result", "it"), {
          cause: error,
        });
      }
    },
    close: () => agent.destroy(),
  };
}
