/** What a channel's upstream asks, and its bills compared with our own book. */
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { noteUpstreamRates, reconcileBill } from "@/lib/commands/upstream-bills";
import { billFormats, usualCauses } from "@/lib/contract/bill-words";
import { formatPoints, parsePoints } from "@/lib/money/points";
import type { Rate } from "@/lib/pricing/rate";
import { type BillRow, showUpstreamBill } from "@/lib/queries/upstream-bills";
import { billText } from "@/lib/upstream-bills/bill-text";
import { BILL_BYTES_MAX } from "@/lib/upstream-bills/read-bill";
import { allowedWord, pairsOf } from "./allowed-words";
import {
  type AnyCommand,
  actor,
  type Command,
  type Flags,
  type PoolCommand,
  UsageError,
} from "./command";
import { readRatesFile } from "./rates-file";
import { table } from "./table";

/** Formats millionths as a decimal number, without the currency. */
const money = (millionths: string) => formatPoints(BigInt(millionths));

function ratesGiven(flags: Flags): Rate[] {
  const file = flags.optional("rates");
  if (file !== null) return readRatesFile(file);
  const [input, output] = [flags.pointsNotNegative("input"), flags.pointsNotNegative("output")];
  if (output === null) throw new UsageError("--output or --rates is missing");
  const cached = flags.pointsNotNegative("cached");
  return [
    { unit: "input_token", amount: input ?? 0n },
    { unit: "output_token", amount: output },
    ...(cached === null ? [] : [{ unit: "cached_input_token", amount: cached } as const]),
  ];
}

const setRates: Command = {
  usage:
    "--channel C --model UPSTREAM-NAME --currency USD [--input N] [--cached N] --output N | --rates FILE.json [--effective ISO]   (per million tokens)",
  async run(installation, flags) {
    const channelId = flags.text("channel");
    await noteUpstreamRates(installation, actor, {
      channelId,
      model: flags.text("model"),
      currency: flags.text("currency"),
      rates: ratesGiven(flags),
      effectiveAt: flags.moment("effective") ?? new Date(0),
    });
    return { json: { done: true }, text: "done" };
  },
};

const COLUMNS = "NAME=COLUMN, such as amount=net";

async function readText(path: string): Promise<string> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`--bill ${path}: there is no such file`);
  if (found.size > BILL_BYTES_MAX)
    throw new UsageError(`--bill ${path} has more than ${BILL_BYTES_MAX} bytes`);
  return billText(await readFile(path));
}

const billView = ({ billed, owed, causes, from, to, madeAt, madeBy, ...bill }: BillRow) => ({
  id: bill.id,
  channel: bill.channel,
  name: bill.name,
  from: from.toISOString(),
  to: to.toISOString(),
  currency: bill.currency,
  lines: bill.lines,
  agreed: bill.agreed,
  billed: money(billed),
  owed: money(owed),
  difference: money(String(BigInt(billed) - BigInt(owed))),
  made_at: madeAt.toISOString(),
  made_by: madeBy,
});

const causesView = ({ causes }: BillRow) =>
  Object.entries(causes).map(([cause, { count, amount }]) => ({
    cause,
    count,
    amount: money(amount),
  }));

const show: PoolCommand = {
  usage: "--id BILL [--cause CAUSE]   (the dearest differences first)",
  async runOnPool(pool, flags) {
    const { bill, differences } = await showUpstreamBill(
      pool,
      flags.text("id"),
      flags.optional("cause"),
    );
    const rows = differences.map(({ amount, at, billed, owed, ...each }) => ({
      ...each,
      at: at?.toISOString() ?? null,
      amount: money(amount),
      billed: billed === null ? null : JSON.stringify(billed),
      owed: owed === null ? null : JSON.stringify(owed),
    }));
    const head = billView(bill);
    const causes = causesView(bill);
    return {
      json: { bill: head, causes, differences: rows },
      text: [table([head]), table(causes), table(rows)].join("\n\n"),
      isGood: causes.every(({ cause }) => usualCauses.some((usual) => usual === cause)),
    };
  },
};

const reconcile: Command = {
  usage: `--channel C --bill FILE --currency USD [--format ${billFormats.join("|")}] [--columns amount=NET,ref=ID] [--zone Asia/Shanghai] [--from ISO] [--to ISO] [--total N]   (exit code 1 when something differs)`,
  async run(installation, flags) {
    const path = flags.text("bill");
    const [total, columns] = [flags.optional("total"), flags.optional("columns")];
    const amount = total === null ? undefined : parsePoints(total);
    if (amount === null) throw new UsageError(`--total ${total} is not an amount`);
    const { id, causes } = await reconcileBill(installation, actor, {
      channelId: flags.text("channel"),
      name: basename(path),
      text: await readText(path),
      format: allowedWord("format", flags.optional("format") ?? "csv", billFormats),
      columns: columns === null ? {} : Object.fromEntries(pairsOf("columns", columns, COLUMNS)),
      currency: flags.text("currency"),
      zone: flags.optional("zone") ?? undefined,
      from: flags.moment("from") ?? undefined,
      to: flags.moment("to") ?? undefined,
      total: amount,
    });
    const { bill } = await showUpstreamBill(installation.pool, id);
    const [head, sums] = [billView(bill), causesView(bill)];
    return {
      json: { bill: head, causes: sums },
      text: [table([head]), table(sums)].join("\n\n"),
      isGood: Object.keys(causes).every((cause) => usualCauses.some((usual) => usual === cause)),
    };
  },
};

/** The others are made from rows. */
export const upstreamCommands: Readonly<Record<string, AnyCommand>> = {
  "set-rates": setRates,
  reconcile,
  bill: show,
};
