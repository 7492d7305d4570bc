/** A process that uses the embedded server: prints the owner's URL and leaves on SIGTERM. */
import { startEmbeddedPostgres } from "../../lib/db/embedded";

const postgres = await startEmbeddedPostgres(String(process.argv[2]));
process.once("SIGTERM", () => postgres.stop().then(() => process.exit(0)));
process.stdout.write(`${postgres.ownerUrl}\n`);
setInterval(() => {}, 1000);
