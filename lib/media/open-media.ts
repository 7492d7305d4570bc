/** Builds the store of results from the settings, and removes expired files in the background. */
import { join } from "node:path";
import type pg from "pg";
import type { Secrets } from "../crypto/secrets";
import { isOutage } from "../db/database-errors";
import type { Settings } from "../settings/settings";
import type { BlobStore } from "./blob-store";
import { createResultFetcher } from "./fetch-result";
import { openFolderStore } from "./folder-store";
import { createInputLengths, type InputLengths } from "./input-length";
import { createMediaLinks, type MediaLinks } from "./media-link";
import { createMediaStore, type MediaStore } from "./media-store";
import { openS3Store, type S3Settings } from "./s3-store";
import { openUnwrittenRows } from "./unwritten-rows";
import { watchedStore } from "./watched-store";

const CLEAN_EVERY_MS = 600_000;
const WRITE_ROWS_EVERY_MS = 2000;

export interface OpenMedia {
  readonly media: MediaStore;
  /** The store itself, which has the archives too. */
  readonly blobs: BlobStore;
  readonly links: MediaLinks;
  readonly inputLengths: InputLengths;
  close(): Promise<void>;
}

export interface OpenMediaDeps {
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly dataFolder: string;
  /** Null when files are stored in the data folder. */
  readonly s3: S3Settings | null;
  readonly reportProblem: (error: unknown) => void;
  /** Gets why the store takes nothing, and null when it is back. */
  readonly reportStore?: (failure: unknown) => void;
}

/** The S3 settings, which must be set all or none. */
export function s3Of(settings: Settings): S3Settings | null {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = settings;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (
    endpoint === undefined ||
    bucket === undefined ||
    accessKeyId === undefined ||
    secretAccessKey === undefined
  )
    return null;
  return {
    endpoint: endpoint.replace(/(?<!\/)\/+$/, ""),
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
  };
}

/** The store of the files, and how to close it. */
export async function openBlobs(
  dataFolder: string,
  s3: S3Settings | null,
): Promise<{ blobs: BlobStore; close(): Promise<void> }> {
  const folder = join(dataFolder, "media");
  if (s3 === null) return { blobs: await openFolderStore(folder), close: async () => {} };
  const bucket = await openS3Store(s3, folder);
  return { blobs: bucket, close: bucket.close };
}

export async function openMedia({
  pool,
  secrets,
  publicUrl,
  dataFolder,
  s3,
  reportProblem,
  reportStore = () => {},
}: OpenMediaDeps): Promise<OpenMedia> {
  const { blobs: asked, close: closeBlobs } = await openBlobs(dataFolder, s3);
  const blobs = watchedStore(asked, reportStore);
  const fetcher = createResultFetcher();
  const inputLengths = createInputLengths();
  const links = createMediaLinks(secrets, publicUrl);
  const unwritten = openUnwrittenRows(pool, join(dataFolder, "media-rows"));
  const media = createMediaStore({ pool, blobs, fetcher, links, unwritten });
  const report = (error: unknown) => isOutage(error) || reportProblem(error);
  let cleaning: Promise<unknown> = Promise.resolve();
  const clean = () => {
    cleaning = cleaning.then(() => media.removeExpired()).catch(report);
  };
  const timer = setInterval(clean, CLEAN_EVERY_MS);
  timer.unref();
  clean();
  let writing: Promise<unknown> | null = null;
  const writeRows = () => {
    writing ??= media
      .writeRows()
      .catch(report)
      .finally(() => {
        writing = null;
      });
  };
  const rowTimer = setInterval(writeRows, WRITE_ROWS_EVERY_MS);
  rowTimer.unref();
  writeRows();
  return {
    media,
    blobs,
    links,
    inputLengths,
    async close() {
      clearInterval(timer);
      clearInterval(rowTimer);
      blobs.close();
      await Promise.all([cleaning, writing, fetcher.close(), inputLengths.close(), closeBlobs()]);
    },
  };
}
