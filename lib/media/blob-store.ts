/** Where the bytes of results lie. Names are ours: letters, digits, `_`, and one `.`. */
export interface BlobStore {
  /** Stores what `bytes` yields under `name`. When it resolves, all of it is safe; when it rejects, there is nothing. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** The bytes from `start` to before `end`; rejects with `BlobMissing` before the first when there is no such file. */
  read(name: string, start: number, end: number): Promise<AsyncIterable<Uint8Array>>;
  /** Removing what is not there is no error. */
  remove(name: string): Promise<void>;
}

export class BlobMissing extends Error {}
