/** The store of finished results: their rows, their files, and their removal. */
import type pg from "pg";
import { newId } from "../crypto/ids";
import {
  fetchBounds,
  ResultError,
  type ResultFetcher,
  type ResultOrigin,
  thumbnailBounds,
} from "./fetch-result";
import type { MediaLinks } from "./media-link";
import { type MediaKind, type SniffedType, sniff } from "./sniff";
import { reachedDatabase, type UnwrittenRows } from "./unwritten-rows";
import type { WatchedStore } from "./watched-store";

/** How long a link is valid after the settlement. */
export const LINK_SECONDS = 24 * 3600;
/** A file outlives every link to it, also when the settlement came late. */
export const FILE_SECONDS = LINK_SECONDS + 6 * 3600;
/** How much metadata may precede an image's size. */
const HEAD_BYTES_MAX = 1024 * 1024;
const REMOVED_AT_ONCE = 200;

export interface KeptMedia {
  readonly mediaId: string;
  /** The file's name in addresses, such as `media_x.png`. */
  readonly file: string;
  readonly bytes: number;
  /** Pixels; null for a video. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

interface StoredFile {
  readonly bytes: number;
  readonly contentType: string;
  /** True when the file was removed. */
  readonly isRemoved: boolean;
}

export interface MediaStore {
  /** Throws `service_busy` while the files of results are known to have no place. */
  assertTakes(): void;
  /**
   * Copies the file at `url`; when it resolves, the copy is durable. Rejects with a `ResultError`,
   * or with a failure of our own store or database.
   */
  copy(kind: MediaKind, channel: ResultOrigin, url: string, accountId: string): Promise<KeptMedia>;
  /** Stores bytes that are in memory. */
  keep(
    kind: MediaKind,
    bytes: Uint8Array | readonly Uint8Array[],
    accountId: string,
  ): Promise<KeptMedia>;
  /** `copy` and `link` for video tasks. */
  copyResult(
    channel: ResultOrigin,
    url: string,
    accountId: string,
  ): Promise<{ readonly mediaId: string }>;
  /**
   * Copies a picture of a video and returns its file; null when there is none to be had soon. Never
   * rejects.
   */
  copyThumbnail(channel: ResultOrigin, url: string, accountId: string): Promise<string | null>;
  linkOf(mediaId: string, expiresAt: Date): string;
  link(file: string, expiresAt: Date): string;
  find(file: string): Promise<StoredFile | null>;
  /** Rejects with `BlobMissing` when the file is gone. */
  read(file: string, start: number, end: number): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Writes the rows of images that were stored during a database outage; returns how many. Rejects
   * while the database is away.
   */
  writeRows(): Promise<number>;
  /** Removes expired files; returns how many. Their rows stay. */
  removeExpired(): Promise<number>;
}

export interface MediaStoreDeps {
  readonly pool: pg.Pool;
  readonly blobs: WatchedStore;
  readonly fetcher: ResultFetcher;
  readonly links: MediaLinks;
  readonly unwritten: UnwrittenRows;
}

async function* piecesOf(bytes: Uint8Array | readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes instanceof Uint8Array ? [bytes] : bytes;
}

/** Reads until the kind of file is known. Throws a `ResultError` when it is not of `kind`. */
async function identify(
  kind: MediaKind,
  source: AsyncIterator<Uint8Array>,
): Promise<{ sniffed: SniffedType; head: Buffer; isWhole: boolean }> {
  let head = Buffer.alloc(0);
  for (let isWhole = false; ; ) {
    const sniffed = sniff(head);
    if (sniffed !== "more") {
      if (sniffed?.kind === kind) return { sniffed, head, isWhole };
      throw new ResultError(`the result is not the expected ${kind}`, true);
    }
    if (isWhole || head.length > HEAD_BYTES_MAX)
      throw new ResultError(`the result is not a readable ${kind}`, true);
    const { done, value } = await source.next();
    if (done) isWhole = true;
    else head = Buffer.concat([head, value]);
  }
}

type StoreResult = (
  kind: MediaKind,
  bytes: AsyncIterable<Uint8Array>,
  accountId: string,
) => Promise<KeptMedia>;

/** Stores one result with its row. */
function storeResultOf({ pool, blobs, unwritten }: MediaStoreDeps): StoreResult {
  return async (kind, bytes, accountId) => {
    const source = bytes[Symbol.asyncIterator]();
    try {
      const { sniffed, head, isWhole } = await identify(kind, source);
      const { extension, contentType, size } = sniffed;
      const mediaId = newId("media");
      const file = `${mediaId}.${extension}`;
      const expiresAt = new Date(Date.now() + FILE_SECONDS * 1000).toISOString();
      const [width, height] = [size?.width ?? null, size?.height ?? null];
      // The row is written first: a file that a crash leaves behind has a row, and is removed when
      // it expires.
      const writing = pool.query(
        `insert into media (id, account_id, kind, extension, content_type, width, height, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
        [mediaId, accountId, kind, extension, contentType, width, height, FILE_SECONDS],
      );
      // A video is fetched again when the database is back. An image is made for a call that waits,
      // and is not fetched again.
      const canWait = kind === "image";
      let hasRow = canWait ? await reachedDatabase(writing) : Boolean(await writing);
      let total = 0;
      const whole = async function* () {
        total = head.length;
        yield head;
        while (!isWhole) {
          const { done, value } = await source.next();
          if (done) return;
          total += value.byteLength;
          yield value;
        }
      };
      await blobs.write(file, whole());
      if (hasRow) {
        const completing = pool.query(
          "update media set bytes = $2, stored_at = now() where id = $1",
          [mediaId, total],
        );
        hasRow = canWait ? await reachedDatabase(completing) : Boolean(await completing);
      }
      if (!hasRow)
        await unwritten.keep({
          id: mediaId,
          accountId,
          kind,
          extension,
          contentType,
          width,
          height,
          bytes: total,
          expiresAt,
        });
      return { mediaId, file, bytes: total, size };
    } finally {
      await source.return?.();
    }
  };
}

export function createMediaStore(deps: MediaStoreDeps): MediaStore {
  const { pool, blobs, fetcher, links, unwritten } = deps;
  const store = storeResultOf(deps);
  const copy: MediaStore["copy"] = async (kind, channel, url, accountId) =>
    store(kind, await fetcher.fetch(channel, url, fetchBounds[kind]), accountId);

  return {
    assertTakes: blobs.assertTakes,
    copy,
    keep: (kind, bytes, accountId) => store(kind, piecesOf(bytes), accountId),
    copyResult: (channel, url, accountId) => copy("video", channel, url, accountId),
    copyThumbnail: (channel, url, accountId) =>
      fetcher
        .fetch(channel, url, thumbnailBounds)
        .then((bytes) => store("image", bytes, accountId))
        .then(
          ({ file }) => file,
          () => null,
        ),
    linkOf: (mediaId, expiresAt) => links.link(`${mediaId}.mp4`, expiresAt),
    link: links.link,
    async find(file) {
      const [id, extension] = file.split(".");
      const { rows } = await pool.query<StoredFile>(
        `select bytes::float8 as bytes, content_type as "contentType", deleted_at is not null as "isRemoved"
         from media where id = $1 and extension = $2 and stored_at is not null`,
        [id, extension],
      );
      return rows[0] ?? null;
    },
    writeRows: unwritten.write,
    read: (file, start, end) => blobs.read(file, start, end),
    async removeExpired() {
      for (let removed = 0; ; ) {
        const { rows } = await pool.query<{ id: string; file: string }>(
          "select id, id || '.' || extension as file from media where deleted_at is null and expires_at <= now() order by expires_at limit $1",
          [REMOVED_AT_ONCE],
        );
        for (const { id, file } of rows) {
          await blobs.remove(file);
          await pool.query(
            "update media set deleted_at = now() where id = $1 and deleted_at is null",
            [id],
          );
        }
        removed += rows.length;
        if (rows.length < REMOVED_AT_ONCE) return removed;
      }
    },
  };
}
