/** The store of result files. We choose their names: letters, digits, `_`, and one `.`. */
export interface BlobStore {
  /**
   * Stores what `bytes` yields under `name`. When it resolves, the file is durable; when it
   * rejects, there is no file.
   */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * The bytes from `start` to before `end`. Rejects with `BlobMissing` before the first byte when
   * there is no such file.
   */
  read(name: string, start: number, end: number): Promise<AsyncIterable<Uint8Array>>;
  /** Removing a file that does not exist is no error. */
  remove(name: string): Promise<void>;
}

export class BlobMissing extends Error {}
