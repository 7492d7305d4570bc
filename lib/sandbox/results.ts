/**
 * The files that the sandbox generated, at addresses that cannot be guessed, for a limited time.
 */
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";

const KEPT_MS = 10 * 60_000;
const BYTES_MAX = 256 * 1024 * 1024;

interface Kept {
  readonly file: Uint8Array;
  readonly type: string;
  /** Cut the connection in the middle of the file. */
  readonly isTruncated: boolean;
  readonly madeAt: number;
}

export interface Results {
  /** Stores a file and returns its path. */
  keep(file: Uint8Array, type: "video/mp4" | "image/png", isTruncated: boolean): string;
  /** Answers a request for `path`; false when it is no stored file. */
  answer(path: string, response: ServerResponse): boolean;
}

export function createResults(): Results {
  const files = new Map<string, Kept>();
  let bytes = 0;

  function forget(path: string): void {
    bytes -= files.get(path)?.file.length ?? 0;
    files.delete(path);
  }

  return {
    keep(file, type, isTruncated) {
      const now = Date.now();
      for (const [path, { madeAt }] of files)
        if (now - madeAt > KEPT_MS || bytes + file.length > BYTES_MAX) forget(path);
      const path = `/results/${randomBytes(18).toString("base64url")}.${type.split("/")[1]}`;
      files.set(path, { file, type, isTruncated, madeAt: now });
      bytes += file.length;
      return path;
    },
    answer(path, response) {
      const kept = files.get(path);
      if (!kept) return false;
      response.writeHead(200, { "content-type": kept.type, "content-length": kept.file.length });
      if (kept.isTruncated)
        response.write(kept.file.subarray(0, kept.file.length >> 1), () => response.destroy());
      else response.end(kept.file);
      return true;
    },
  };
}
