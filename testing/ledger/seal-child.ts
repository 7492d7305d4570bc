/** A process that seals in small pieces until it is killed, and says so after each one. */
import pg from "pg";
import { sealLedger } from "@/lib/ledger/seal";

const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
const sealing = await sealLedger(client, { piece: 30, onPiece: () => process.stdout.write("p") });
process.stdout.write(sealing.broken.length === 0 ? "d" : "b");
await client.end();
