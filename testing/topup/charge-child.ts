/** A process that tops up what is due and is killed while it does. Used by auto-topup-kill.whole.test.ts. */

import { openPool } from "@/lib/db/pool";
import { createLedger } from "@/lib/ledger/ledger";
import type { Stripe } from "@/lib/topup/stripe";
import { sweepAutoTopups } from "@/lib/topup/sweep-auto-topups";

const { databaseUrl, spoolFolder, stripe } = JSON.parse(process.argv[2] ?? "{}") as {
  databaseUrl: string;
  spoolFolder: string;
  stripe: Stripe;
};
const pool = openPool(databaseUrl, 1);
const ledger = await createLedger({ databaseUrl, spoolFolder, role: "tool" });
await sweepAutoTopups({ pool, ledger }, stripe);
await ledger.close();
await pool.end();
