import { type Product, products } from "@/lib/import/book";
import { ImportReport, kinds } from "@/lib/import/report";
import { runImport } from "@/lib/import/run-import";
import { formatPoints, pointsNumber } from "@/lib/money/points";
import { findPlan } from "@/lib/queries/plans";
import { actor, type Command, type Flags, type Report, UsageError } from "./command";
import { shownCommands } from "./import-shown";
import { openNamed, SOURCE, sourceOf } from "./import-source";
import type { OpenInstallation } from "./open";
import { table } from "./table";

const OUTPUT_TOKENS_DEFAULT = 32_768;
const KEY_RPM_DEFAULT = 6000;
/** Of one reason, in the text; JSON has them all. */
const EXAMPLES_SHOWN = 5;
const PROGRESS_MS = 2000;

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

/** `--plans 3=Small,4=Large`: their plan's id, and ours by its name or id. */
async function plansOf(
  installation: OpenInstallation,
  flags: Flags,
): Promise<ReadonlyMap<string, string>> {
  const plans = new Map<string, string>();
  for (const pair of flags.optional("plans")?.split(",") ?? []) {
    const [, theirs = "", ours = ""] = /^\s*(\d{1,18})\s*=(.+)$/.exec(pair) ?? [];
    if (theirs === "")
      throw new UsageError(`--plans ${pair} is not ID=PLAN, such as 3=Small: their id, our name`);
    plans.set(theirs, (await findPlan(installation, ours)).id);
  }
  return plans;
}

const importFrom = (product: Product): Command => ({
  usage: `${SOURCE} [--dry-run] [--plans ID=PLAN,…] [--output-tokens N] [--key-rpm N]\n      (PLACE: a PostgreSQL address, a SQLite file or a dump of MySQL, also from standard input with - or RELAY_IMPORT_DATABASE)`,
  async run(installation: OpenInstallation, flags: Flags) {
    const options = {
      source: sourceOf(product, flags),
      isDry: flags.flag("dry-run"),
      outputTokensMax: wholeFrom(flags, "output-tokens", OUTPUT_TOKENS_DEFAULT),
      keyRequestsPerMinute: wholeFrom(flags, "key-rpm", KEY_RPM_DEFAULT),
      plans: await plansOf(installation, flags),
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

export const importCommands = {
  [newApi]: importFrom(newApi),
  [oneApi]: importFrom(oneApi),
  ...shownCommands,
};
