import { join } from "node:path";
import { acceptDatabase } from "@/lib/commands/database";
import { readRefusals } from "@/lib/db/lineage";
import { openSpool } from "@/lib/ledger/core/spool";
import { LINEAGE_FOLDER } from "@/lib/ledger/ledger";
import { pointsNumber } from "@/lib/money/points";
import { actor, type BareCommand, type Command } from "./command";
import { projectFolder } from "./project-folder";
import { table } from "./table";

const migrate: BareCommand = {
  usage:
    "[--back]   (applies missing migrations and sets the rights of the product's role; connects with DATABASE_OWNER_URL; --back: replaces the functions of a newer release)",
  async runBare(settings, flags) {
    const { openDatabase } = await import("@/lib/db/open");
    const opened = await openDatabase(settings, projectFolder, flags.flag("back"));
    await opened.close();
    const role = opened.applicationRole ?? null;
    const json = {
      database: { application_role: role, of_newer_release: opened.isOfNewer === true },
    };
    if (opened.isOfNewer)
      return { json, text: "A newer release has changed this database. Nothing was changed." };
    return {
      json,
      text: `The database has all migrations; ${role === null ? "one role owns it and is also the product's role" : `${role} is the product's role and owns nothing`}.`,
    };
  },
};

/** The ends that wait on disk, which are charged as soon as a database is there. */
function endsInSpool(folder: string): number {
  const spool = openSpool(folder, "cli");
  return spool.files(() => true).reduce((sum, file) => sum + spool.read(file).records.length, 0);
}

const accept: Command = {
  usage:
    "[--yes]   (lists what a new primary lacks, as far as the processes of this machine know; --yes: they write to it all the same)",
  async run(installation, flags) {
    const spoolFolder = join(installation.settings.RELAY_DATA_DIR, "spool");
    const refusals = readRefusals(join(spoolFolder, LINEAGE_FOLDER));
    const waiting = endsInSpool(spoolFolder);
    const count = refusals.reduce((sum, { lostCount }) => sum + lostCount, 0);
    const missing = refusals.flatMap(({ node, lost }) =>
      lost.map(({ id, account, what, amount }) => ({
        process: node,
        missing: what,
        id,
        account,
        points: pointsNumber(BigInt(amount)),
      })),
    );
    const lines = [
      ...refusals.map(
        ({ node, place, reason }) => `${node} refuses the server at ${place}: ${reason}.`,
      ),
      ...(missing.length > 0 ? [table(missing)] : []),
      ...(count > missing.length ? [`And ${count - missing.length} more.`] : []),
      `${waiting} ends of requests wait in the spool of this machine.`,
    ];
    const isAccepted = flags.flag("yes");
    const subject = isAccepted ? await acceptDatabase(installation, actor, { count }) : null;
    lines.push(
      isAccepted
        ? `Accepted: the processes write to ${subject} from now on. What is open there is ended again.`
        : refusals.length === 0
          ? "No process of this machine refuses the database."
          : "Nothing was changed. With --yes the processes write to it all the same.",
    );
    return {
      json: { refusals, waiting, accepted: subject },
      text: lines.join("\n"),
      isGood: isAccepted || refusals.length === 0,
    };
  },
};

export const databaseCommands = { migrate, accept };
