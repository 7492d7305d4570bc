/** Result files in a local folder. */
import { open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { BlobMissing, type BlobStore } from "./blob-store";
import { newDraft, openDraftFolder } from "./drafts";

const READ_BYTES = 256 * 1024;

/** Opens the file at the first read, so that a stream that nobody reads leaves nothing open. */
async function* readFrom(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    for (let at = start; at < end; ) {
      const part = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at));
      const { bytesRead } = await file.read(part, 0, part.length, at);
      if (bytesRead === 0) throw new Error("a stored file is shorter than it was");
      at += bytesRead;
      yield part.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/**
 * Opens the folder, which is created if it is missing. Files have mode 0600 and appear complete or
 * not at all.
 */
export async function openFolderStore(folder: string): Promise<BlobStore> {
  await openDraftFolder(folder);
  return {
    async write(name, bytes) {
      const draft = newDraft(folder);
      const file = await open(draft, "wx", 0o600);
      try {
        try {
          for await (const part of bytes) await file.writeFile(part);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, join(folder, name));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      const directory = await open(folder, "r");
      await directory.sync().finally(() => directory.close());
    },
    async read(name, start, end) {
      const path = join(folder, name);
      await stat(path).catch((cause: NodeJS.ErrnoException) => {
        throw cause.code === "ENOENT" ? new BlobMissing(name) : cause;
      });
      return readFrom(path, start, end);
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}
