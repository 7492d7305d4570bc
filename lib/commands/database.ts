import { recordAction } from "../accounts/actions";
import { readLineage, subjectOf } from "../db/lineage";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";

/**
 * Lets the processes write to the server at the address, although it lacks what they wrote before.
 * They read the record. Returns the server's history, as they name it.
 */
export async function acceptDatabase(
  { database, pool }: Pick<CommandDeps, "database" | "pool">,
  actor: string,
  { count }: { count: number },
): Promise<string> {
  const lineage = await readLineage(pool);
  if (lineage === null)
    throw new RelayError("invalid_value", { message: "The server does not tell its history." });
  const subject = subjectOf(lineage);
  await inDatabaseTransaction(database, (transaction) =>
    recordAction(transaction, actor, "database.accept", subject, { detail: { count } }),
  );
  return subject;
}
