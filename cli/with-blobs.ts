import type { BlobStore } from "@/lib/media/blob-store";
import { openBlobs, s3Of } from "@/lib/media/open-media";
import { openDataFolder } from "@/lib/process/data-folder";
import type { Settings } from "@/lib/settings/settings";

/** Runs `work` with the store of the results, which has the archives too. */
export async function withBlobs<T>(
  settings: Settings,
  work: (blobs: BlobStore) => Promise<T>,
): Promise<T> {
  const { path } = openDataFolder(settings.RELAY_DATA_DIR);
  const { blobs, close } = await openBlobs(path, s3Of(settings));
  return work(blobs).finally(close);
}
