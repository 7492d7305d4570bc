import { type Product, products } from "@/lib/import/book";
import { QUOTA_PER_POINT_DEFAULT, QUOTA_PER_POINT_MAX } from "@/lib/import/rate";
import { ImportReport, kinds } from "@/lib/import/report";
import { runImport } from "@/lib/import/run-import";
import { openSource } from "@/lib/import/sources/open-source";
import type { Source } from "@/lib/import/sources/source";
import { formatPoints, pointsNumber } from "@/lib/points";
import { actor, type Command, type Flags, type Report, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

const OUTPUT_TOKENS_DEFAULT = 32_768;
const KEY_RPM_DEFAULT = 6000;
/** Of one reason, in the text; JSON has them all. */
const EXAMPLES_SHOWN = 5;
const PROGRESS_MS = 2000;

const SOURCE = "--database PLACE [--name N] [--quota-per-point N]";

const sourceOptions = {
  database: "string",
  name: "string",
  "quota-per-point": "string",
} as const;

/** The address may have a password: it can come from standard input or the environment. */
async function openNamed(flags: Flags): Promise<Source> {
  const place = await flags.secret("database", "RELAY_IMPORT_DATABASE");
  if (place === null)
    throw new UsageError("--database is missing: a PostgreSQL address, a SQLite file or a dump");
  return openSource(place);
}

function sourceOf(product: Product, flags: Flags) {
  const rate = flags.optional("quota-per-point") ?? QUOTA_PER_POINT_DEFAULT.toString();
  if (!/^\d{1,13}$/.test(rate) || BigInt(rate) < 1n || BigInt(rate) > QUOTA_PER_POINT_MAX)
    throw new UsageError(
      `--quota-per-point ${rate} is not a whole number from 1 to ${QUOTA_PER_POINT_MAX}`,
    );
  const name = flags.optional("name") ?? product;
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    throw new UsageError(`--name ${name} is not 1 to 40 small letters, digits and hyphens`);
  return { name, product, quotaPerPoint: BigInt(rate) };
}

function wholeFrom(flags: Flags, name: string, usual: number): number {
  const value = flags.whole(name) ?? usual;
  if (value < 1) throw new UsageError(`--${name} ${value} is not a whole number above 0`);
  return value;
}

/** Lines on standard error, not more often than a person can read. */
function progressLines(): (line: string) => void {
  let shownAt = performance.now();
  return (line) => {
    const now = performance.now();
    if (now - shownAt < PROGRESS_MS) return;
    shownAt = now;
    process.stderr.write(`${line}\n`);
  };
}

function reportOf(report: ImportReport, isDry: boolean): Report {
  const rows = kinds.map((kind) => {
    const { found, taken, known, left, quota, points } = report.counts[kind];
    const sums = { quota: quota.toString(), points: pointsNumber(points) };
    return { kind, found, taken, known, left, ...sums };
  });
  const remarks = report.remarks.map((remark) => ({ ...remark }));
  const lines = remarks.map(({ kind, reason, count, examples }) => {
    const shown = examples.slice(0, EXAMPLES_SHOWN).join("; ");
    const more = count > EXAMPLES_SHOWN ? ` and ${count - EXAMPLES_SHOWN} more` : "";
    return `${kind}: ${reason} (${count}): ${shown}${more}`;
  });
  const { users } = report.counts;
  const sum = `${isDry ? "Nothing was written. " : ""}Balances: ${users.quota} quota = ${formatPoints(users.points)} points.`;
  return {
    json: { dry_run: isDry, kinds: rows, remarks },
    text: [table(rows), "", ...lines, "", sum].join("\n"),
  };
}

const importFrom = (product: Product): Command => ({
  usage: `${SOURCE} [--dry-run] [--output-tokens N] [--key-rpm N]\n      (PLACE: a PostgreSQL address, a SQLite file or a dump of MySQL, also from standard input with - or RELAY_IMPORT_DATABASE)`,
  options: {
    ...sourceOptions,
    "dry-run": "boolean",
    "output-tokens": "string",
    "key-rpm": "string",
  },
  async run(installation: OpenInstallation, flags: Flags) {
    const options = {
      source: sourceOf(product, flags),
      isDry: flags.flag("dry-run"),
      outputTokensMax: wholeFrom(flags, "output-tokens", OUTPUT_TOKENS_DEFAULT),
      keyRequestsPerMinute: wholeFrom(flags, "key-rpm", KEY_RPM_DEFAULT),
    };
    const report = new ImportReport(progressLines());
    const { database, pool } = installation;
    const deps = { database, pool, secrets: installation.secrets() };
    const from = await openNamed(flags);
    try {
      await installation.patiently((client) =>
        runImport(deps, { ...options, actor, client, from, report }),
      );
    } finally {
      await from.close();
    }
    return reportOf(report, options.isDry);
  },
});

const [newApi, oneApi] = products;

export const importCommands = { [newApi]: importFrom(newApi), [oneApi]: importFrom(oneApi) };
