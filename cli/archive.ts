import type pg from "pg";
import { archiveMonth } from "@/lib/archive/archive-month";
import { openArchivedRequests } from "@/lib/archive/archived-requests";
import { type ArchivePlace, dropMonth } from "@/lib/archive/drop-month";
import { keepRequests } from "@/lib/archive/keep-requests";
import { archivedRequest, verifyMonth, verifyRegister } from "@/lib/archive/verify-archive";
import { isOperationId } from "@/lib/crypto/ids";
import {
  type ArchivedMonth,
  archivedMonths,
  type Month,
  monthOf,
  monthsToArchive,
} from "@/lib/ledger/archive/archive-register";
import type { BlobStore } from "@/lib/media/blob-store";
import { pointsNumber } from "@/lib/money/points";
import { operationNamed, requireArchived } from "@/lib/queries/operations";
import { type Command, type Flags, type PoolCommand, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";
import { withBlobs } from "./with-blobs";

function monthNamed(text: string): Month {
  const time = Date.parse(`${text}-01T00:00:00Z`);
  if (!/^20\d{2}-\d{2}$/.test(text) || Number.isNaN(time))
    throw new UsageError(`--month ${text} is not a month such as 2026-08`);
  return monthOf(time);
}

function monthIn(flags: Flags): Month | null {
  const text = flags.optional("month");
  return text === null ? null : monthNamed(text);
}

const run: Command = {
  usage:
    "[--month MONTH]   (writes requests into files of the media store; without --month: all sealed months that are old enough; nothing is removed)",
  async run({ settings, patiently }, flags) {
    const only = monthIn(flags);
    const archived = await withBlobs(settings, (blobs) =>
      patiently(async (client) => {
        const done: string[] = [];
        for (const month of only ? [only] : await monthsToArchive(client))
          if (await archiveMonth(client, blobs, month)) done.push(month.name);
        return done;
      }),
    );
    const text = archived.length === 0 ? "No month was left to archive." : archived.join(", ");
    return { json: { archived }, text };
  },
};

const stateOf = ({ isComplete, isDropped }: ArchivedMonth) =>
  isDropped ? "only in files" : isComplete ? "complete" : "incomplete";

const list: PoolCommand = {
  usage: "",
  async runOnPool(pool) {
    const archives = (await archivedMonths(pool)).map((month) => ({
      month: month.month,
      state: stateOf(month),
      files: month.parts,
      requests: month.requests,
      bytes: month.bytes,
      points: pointsNumber(BigInt(month.charged)),
      made_at: month.madeAt?.toISOString() ?? null,
      head: month.head,
    }));
    return { json: { archives }, text: table(archives) };
  },
};

const verify: Command = {
  usage: "[--month MONTH]   (reads the files again; without --month: those of all months)",
  async run({ settings, patiently, pool }, flags) {
    const only = monthIn(flags);
    const months = (await archivedMonths(pool)).filter(
      ({ month }) => only === null || month === only.name,
    );
    if (only !== null && months.length === 0) throw new Error(`${only.name} is not archived`);
    const checks = await patiently(verifyRegister);
    const files = await withBlobs(settings, (blobs) =>
      patiently(async (client) => {
        const found = [];
        for (const { month } of months)
          for (const part of await verifyMonth(client, blobs, monthOf(Date.parse(`${month}-01`))))
            found.push({ month, ...part });
        return found;
      }),
    );
    const ok = checks.every((check) => check.ok) && files.every(({ fault }) => fault === null);
    const broken = checks.filter((check) => !check.ok).map(({ name }) => `Not so: ${name}.`);
    const verdict = ok
      ? "Every file is as it was written."
      : "Not everything is as it was written, or could be read.";
    return {
      json: { ok, checks, files },
      text: [table(files), ...broken, verdict].join("\n"),
      isGood: ok,
    };
  },
};

/** The ledger's id of a request, whether or not its rows are still there. */
async function operationIdOf(pool: pg.Pool, blobs: BlobStore, named: string): Promise<string> {
  if (isOperationId(named)) return named;
  const found = await operationNamed({ pool }, named);
  if (found !== null) return found.operationId;
  const archive = openArchivedRequests(pool, blobs);
  return (await requireArchived({ pool, archive }, named)).facts.operationId;
}

const show: Command = {
  usage:
    "--id ID   (a request as its file has it; req_… from the answer, cgt-…, or the ledger's id)",
  async run({ settings, pool }, flags) {
    const named = flags.text("id");
    const { file, request } = await withBlobs(settings, async (blobs) =>
      archivedRequest(pool, blobs, await operationIdOf(pool, blobs, named)),
    );
    return {
      json: { file, ...request },
      text: JSON.stringify({ file, ...request }, null, 2),
    };
  },
};

/** The store and two connections of the owner, so that what is compared depends on no right of the product's role. */
const inPlace = <T>(
  { settings, asOwner }: OpenInstallation,
  work: (place: ArchivePlace) => Promise<T>,
): Promise<T> =>
  withBlobs(settings, (blobs) =>
    asOwner((owner) => asOwner((reader) => work({ owner, reader, blobs }))),
  );

const drop: Command = {
  usage:
    "--month MONTH   (takes an archived month out of the database, after each row was found in its files; they are then its only copy; connects with DATABASE_OWNER_URL)",
  async run(installation, flags) {
    const month = monthNamed(flags.text("month"));
    const isNew = await inPlace(installation, (place) => dropMonth(place, month));
    const text = isNew ? "is now only in its files" : "was dropped before";
    return { json: { dropped: isNew ? [month.name] : [] }, text: `${month.name} ${text}.` };
  },
};

const keep: Command = {
  usage:
    "   (archives what is old enough, and drops what is older than RELAY_KEEP_REQUEST_MONTHS; for cron; connects with DATABASE_OWNER_URL)",
  async run(installation) {
    const months = installation.settings.RELAY_KEEP_REQUEST_MONTHS;
    if (months === 0)
      return {
        json: { archived: [], dropped: [], shared: [], failed: [] },
        text: "Requests are kept for ever: RELAY_KEEP_REQUEST_MONTHS is not set. Nothing was done.",
      };
    const done = await inPlace(installation, (place) => keepRequests(place, months));
    const lines = [
      `Archived: ${done.archived.join(", ") || "none"}. Dropped: ${done.dropped.join(", ") || "none"}.`,
      ...done.shared.map((name) => `${name} stays: it shares its partition with other months.`),
      ...done.failed.map(({ reason }) => reason),
    ];
    return { json: { ...done }, text: lines.join("\n"), isGood: done.failed.length === 0 };
  },
};

export const archiveCommands = { run, list, verify, show, drop, keep };
