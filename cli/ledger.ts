import { archivedFiles } from "@/lib/archive/archived-files";
import { refundCharge } from "@/lib/commands/points";
import { isIdOf, isOperationId, newId } from "@/lib/crypto/ids";
import type { AuditReport } from "@/lib/ledger/audit/audit";
import { runAudit } from "@/lib/ledger/audit/audit-runs";
import { lastSeal } from "@/lib/ledger/audit/last-seal";
import { verifyDay } from "@/lib/ledger/audit/seal-verify";
import { pointsNumber } from "@/lib/money/points";
import { operationToRefund } from "@/lib/queries/operations";
import { actor, type Command, oncePerRef, type Report, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";
import { withBlobs } from "./with-blobs";

const linesOf = (checks: AuditReport["checks"]) =>
  table(checks.map(({ name, ok, detail }) => ({ check: name, holds: ok ? "yes" : "NO", detail })));

async function auditDay({ patiently, settings }: OpenInstallation, day: string): Promise<Report> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new UsageError(`--period ${day} is not a day such as 2026-12-31`);
  const checks = await withBlobs(settings, (blobs) =>
    patiently((client) => verifyDay(client, day, { files: archivedFiles(blobs) })),
  );
  if (checks === null)
    return { json: { ok: false, day }, text: `${day} is not sealed.`, isGood: false };
  const ok = checks.every((check) => check.ok);
  const verdict = ok ? "is as it was sealed" : "is not as it was sealed";
  return { json: { ok, day, checks }, text: `${linesOf(checks)}\n${day} ${verdict}.`, isGood: ok };
}

const audit: Command = {
  usage:
    "[--full] [--period DAY] [--head HASH]   (--full: reads everything that is sealed again; DAY: only that sealed day; HASH: a head noted earlier, that the seals must still contain)",
  async run(installation, flags) {
    const day = flags.optional("period");
    if (day !== null) return auditDay(installation, day);
    const noted = flags.optional("head");
    let alone = "";
    const onAlone = (error: unknown) => {
      alone = `\nThe audit had no second connection and worked on one: ${error instanceof Error ? error.message : String(error)}`;
    };
    const { ok, checks, accounts, entries } = await withBlobs(installation.settings, (blobs) =>
      installation.patiently((client, openSecond) =>
        runAudit(client, actor, {
          isFull: flags.flag("full"),
          files: archivedFiles(blobs),
          openSecond,
          onAlone,
        }),
      ),
    );
    const sealed = await lastSeal(installation.pool, noted);
    const isGood = ok && sealed.isContained;
    const verdict = ok ? "Every point is accounted for" : "The ledger does not add up";
    const head =
      sealed.day === null
        ? "No day is sealed."
        : `Sealed up to ${sealed.day}. Head: ${sealed.head}`;
    const lost = sealed.isContained ? "" : `\nThe seals do not contain the head ${noted}.`;
    return {
      json: { ok: isGood, checks, accounts, entries, sealed },
      text: `${linesOf(checks)}\n${verdict}: ${accounts} accounts, ${entries} entries.\n${head}${lost}${alone}`,
      isGood,
    };
  },
};

const refund: Command = {
  usage:
    "--operation ID --reason R [--points N] [--ref X]   (without --points: everything that is left; the same X takes effect once; ID: req_…, cgt-…, or the ledger's id)",
  async run(installation, flags) {
    const named = flags.text("operation");
    const amount = flags.points("points");
    if (!isOperationId(named) && !isIdOf("request", named) && !isIdOf("task", named))
      throw new UsageError(`--operation ${named} is not the id of a request`);
    if (amount !== null && amount <= 0n) throw new UsageError("--points must be more than 0");
    const { operationId } = await operationToRefund(installation, named);
    const ref = flags.optional("ref") ?? newId("request");
    const moved = await oncePerRef(ref, () =>
      refundCharge(installation, actor, { operationId, amount, ref, reason: flags.text("reason") }),
    );
    const entry = {
      id: moved.entryId,
      account: moved.accountId,
      points: pointsNumber(moved.amount),
      is_new: moved.isNew,
    };
    return { json: { refund: entry }, text: table([entry]) };
  },
};

/** The others are made from rows. */
export const ledgerCommands = { audit, refund };
