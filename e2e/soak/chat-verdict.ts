/**
 * Compares the answers that callers received and the upstream's records with the ledger's charges.
 */
import pg from "pg";
import { priceOf } from "@/lib/pricing/price";
import type { RecordedAnswer } from "./recording-upstream";

export interface ChatVerdict {
  readonly completed: number;
  readonly charged: number;
  /**
   * Complete answers without a charge, double charges, and charges of another amount than recorded.
   * All must be empty.
   */
  readonly faults: string[];
  readonly openOperations: number;
}

const price = { input: 80_000_000n, output: 800_000_000n };

interface Charge {
  readonly upstream_ref: string;
  readonly amount: string;
}

/** Reads every charge and lists those that are wrong. */
export async function checkCharges(
  databaseUrl: string,
  completed: ReadonlySet<string>,
  answers: ReadonlyMap<string, RecordedAnswer>,
): Promise<ChatVerdict> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Charge>(
      "select upstream_ref, amount::text from settlement where outcome = 'settled'",
    );
    const open = await client.query<{ count: number }>(
      "select count(*)::int as count from open_operation",
    );
    const faults: string[] = [];
    const seen = new Set<string>();
    for (const { upstream_ref: ref, amount } of rows) {
      if (seen.has(ref)) faults.push(`${ref} was charged twice`);
      seen.add(ref);
      const answer = answers.get(ref);
      if (!answer) faults.push(`${ref} was charged but never made`);
      else if (priceOf(answer, price, 1_000_000) !== BigInt(amount))
        faults.push(`${ref} was charged ${amount}, which is not its price`);
    }
    for (const ref of completed)
      if (!seen.has(ref)) faults.push(`${ref} was answered whole without a charge`);
    return {
      completed: completed.size,
      charged: rows.length,
      faults,
      openOperations: open.rows[0]?.count ?? -1,
    };
  } finally {
    await client.end();
  }
}
