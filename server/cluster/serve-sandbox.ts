/** The sandbox upstream as a process. */
import { openChanges } from "@/lib/db/changes";
import { openPool } from "@/lib/db/pool";
import { createModelBook } from "@/lib/model-book/model-book";
import { log } from "@/lib/process/log";
import { readWorkerIdentity } from "@/lib/process/worker-identity";
import { startSandbox } from "@/lib/sandbox/sandbox";
import { stopSignals } from "../signals";

/** Serves the sandbox until the primary process is gone. */
export async function serveSandbox(databaseUrl: string): Promise<void> {
  const place = readWorkerIdentity()?.sandbox;
  if (!place) throw new Error("The sandbox was started without its place.");
  const lost = new Promise<void>((resolve) => process.once("disconnect", () => resolve()));
  for (const signal of stopSignals) process.on(signal, () => {});
  const pool = openPool(databaseUrl, 1);
  const changes = await openChanges(databaseUrl);
  const book = await createModelBook({
    pool,
    changes,
    onProblem: (model, err) => log.warn({ model, err }, "the sandbox cannot read a model"),
  });
  const port = Number(new URL(place.origin).port);
  const sandbox = await startSandbox({ port, credential: place.credential });
  process.send?.({ kind: "serving" });
  await lost;
  book.close();
  await Promise.allSettled([sandbox.close(), changes.close(), pool.end()]);
}
