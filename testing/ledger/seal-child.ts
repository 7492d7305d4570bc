/** A process that seals in small pieces on two connections until it is killed, and says so after each piece. */
import pg from "pg";
import { sealLedger } from "@/lib/ledger/audit/seal";

async function open(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.argv[2] });
  await client.connect();
  return client;
}

const client = await open();
const onPiece = () => process.stdout.write("p");
const sealing = await sealLedger(client, { piece: 30, onPiece, openSecond: open });
process.stdout.write(sealing.broken.length === 0 ? "d" : "b");
await client.end();
