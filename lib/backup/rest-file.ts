/** A file beside the backup for what is read in one snapshot. It is as private, and removed again. */
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { finished } from "node:stream/promises";

type Write = (text: string | Buffer) => Promise<void>;

export function openRest(path: string): {
  readonly write: Write;
  /** Ends the file and hands its bytes to `write`. */
  copyTo(write: Write): Promise<void>;
  remove(): Promise<void>;
} {
  const file = createWriteStream(path, { mode: 0o600 });
  const whole = finished(file);
  whole.catch(() => {});
  return {
    async write(text) {
      if (!file.write(text)) await Promise.race([once(file, "drain"), whole]);
    },
    async copyTo(write) {
      file.end();
      await whole;
      const parts: AsyncIterable<Buffer> = createReadStream(path);
      for await (const part of parts) await write(part);
    },
    async remove() {
      file.destroy();
      await rm(path, { force: true });
    },
  };
}
