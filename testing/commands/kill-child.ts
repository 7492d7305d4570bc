/** A process that suspends an account and is killed while it does. Used by kill.test.ts. */

import { suspendAccount } from "@/lib/commands/accounts";
import { connectDatabase } from "@/lib/db/client";

const { databaseUrl, accountId } = JSON.parse(process.argv[2] ?? "{}") as {
  databaseUrl: string;
  accountId: string;
};
const database = connectDatabase(databaseUrl, 1);
await suspendAccount({ database }, "user_op", { accountId, reason: "Unpaid" });
await database.$disconnect();
