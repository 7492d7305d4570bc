/** Builds the store of results from the settings and keeps it clean. */
import { join } from "node:path";
import type pg from "pg";
import { createResultFetcher } from "./fetch-result";
import { openFolderStore } from "./folder-store";
import { createMediaLinks, type MediaLinks } from "./media-link";
import { createMediaStore, type MediaStore } from "./media-store";

const CLEAN_EVERY_MS = 600_000;

export interface OpenMedia {
  readonly media: MediaStore;
  readonly links: MediaLinks;
  close(): Promise<void>;
}

export interface OpenMediaParts {
  readonly pool: pg.Pool;
  readonly secret: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly dataFolder: string;
  readonly reportProblem: (error: unknown) => void;
}

export async function openMedia({ pool, secret, publicUrl, dataFolder, reportProblem }: OpenMediaParts): Promise<OpenMedia> {
  const blobs = await openFolderStore(join(dataFolder, "media"));
  const fetcher = createResultFetcher();
  const links = createMediaLinks(secret, publicUrl);
  const media = createMediaStore({ pool, blobs, fetcher, links });
  let cleaning: Promise<unknown> = Promise.resolve();
  const clean = () => {
    cleaning = cleaning.then(() => media.removeExpired()).catch(reportProblem);
  };
  const timer = setInterval(clean, CLEAN_EVERY_MS);
  timer.unref();
  clean();
  return {
    media,
    links,
    async close() {
      clearInterval(timer);
      await Promise.all([cleaning, fetcher.close()]);
    },
  };
}
