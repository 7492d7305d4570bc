/**
 * Knows whether the store takes files. One that failed is asked with a small file until it takes and
 * gives that back; meanwhile nothing is ordered whose result it would have to take.
 */
import { newId } from "../crypto/ids";
import { RelayError } from "../failures/relay-error";
import { BlobMissing, type BlobStore } from "./blob-store";

export interface WatchedStore extends BlobStore {
  /** Throws `service_busy` while the store is known to take nothing. */
  assertTakes(): void;
  close(): void;
}

/** The waits between two questions: from the first to the longest. */
const ASK_AGAIN_MS = { first: 500, longest: 5000 };
const PROBE = Buffer.from("relay asks whether the store takes files");

const refused = (waitMs: number) =>
  new RelayError("service_busy", {
    message: "The store of results is currently unavailable. Nothing was ordered or charged.",
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });

/** Takes, gives back and removes one small file; rejects when the store does not. */
async function ask(blobs: BlobStore, name: string): Promise<void> {
  await blobs.write(
    name,
    (async function* () {
      yield PROBE;
    })(),
  );
  const parts: Uint8Array[] = [];
  for await (const part of await blobs.read(name, 0, PROBE.length)) parts.push(part);
  await blobs.remove(name);
  if (!PROBE.equals(Buffer.concat(parts))) throw new Error("the store gave another file back");
}

/** `report` gets why the store failed, and null when it is back. */
export function watchedStore(blobs: BlobStore, report: (failure: unknown) => void): WatchedStore {
  const probe = `${newId("media")}.txt`;
  /** The wait for the next question; null while the store is not known to fail. */
  let waitMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const askLater = (milliseconds: number) => {
    waitMs = milliseconds;
    if (isClosed) return;
    timer = setTimeout(() => {
      ask(blobs, probe).then(
        () => {
          waitMs = null;
          report(null);
        },
        () => askLater(Math.min(ASK_AGAIN_MS.longest, milliseconds * 2)),
      );
    }, milliseconds);
    timer.unref();
  };
  const failed = (error: unknown) => {
    if (waitMs !== null || isClosed) return;
    report(error);
    askLater(ASK_AGAIN_MS.first);
  };

  return {
    async write(name, bytes) {
      // What cannot be had from the upstream is no failure of the store.
      let isSourceBroken = false;
      const watched = async function* () {
        try {
          yield* bytes;
        } catch (error) {
          isSourceBroken = true;
          throw error;
        }
      };
      await blobs.write(name, watched()).catch((error: unknown) => {
        if (!isSourceBroken) failed(error);
        throw error;
      });
    },
    read: (name, start, end) =>
      blobs.read(name, start, end).catch((error: unknown) => {
        if (!(error instanceof BlobMissing)) failed(error);
        throw error;
      }),
    remove: (name) => blobs.remove(name),
    assertTakes() {
      if (waitMs !== null) throw refused(waitMs);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
