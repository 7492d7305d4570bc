/** A process that upgrades a database of release 0.1.0 until it is killed. */
import { APPLICATION_ROLE } from "@/lib/db/embedded";
import { applyMigrations } from "@/lib/db/migrate";

const [, , url = "", project = "", piece = ""] = process.argv;
await applyMigrations(url, project, { applicationRole: APPLICATION_ROLE, piece: Number(piece) });
