import { setAutoTopup, stopAutoTopup } from "@/lib/commands/auto-topup";
import { finishCardCheckouts, removeCard } from "@/lib/commands/saved-card";
import type { AutoTopupView } from "@/lib/contract/auto-topup";
import { listAutoTopups, showAutoTopup } from "@/lib/queries/auto-topup";
import { stripeOf } from "@/lib/topup/stripe";
import { sweepAutoTopups } from "@/lib/topup/sweep-auto-topups";
import { actor, type Command, type PoolCommand, UsageError } from "./command";
import { table } from "./table";

const view = ({ state, card, paused, terms }: AutoTopupView) => ({
  state,
  paused,
  card: card && `${card.brand} ${card.last4}`,
  package: terms?.packageId ?? null,
  threshold: terms === null ? null : Number(terms.threshold),
  amount: terms?.amount ?? null,
  currency: terms?.currency ?? null,
  month_max: terms?.monthMax ?? null,
  month_charged: terms?.monthCharged ?? null,
});

const list: PoolCommand = {
  usage: "[--cursor A]   (the accounts with a saved card, after account A)",
  options: { cursor: "string" },
  async runOnPool(pool, flags) {
    const found = await listAutoTopups({ pool }, { cursor: flags.optional("cursor") ?? undefined });
    const rows = found.map((each) => ({ account: each.accountId, ...view(each) }));
    return { json: { auto_topups: rows }, text: table(rows) };
  },
};

const show: PoolCommand = {
  usage: "--account A",
  options: { account: "string" },
  async runOnPool(pool, flags) {
    const shown = view(await showAutoTopup({ pool }, { accountId: flags.text("account") }));
    return { json: { auto_topup: shown }, text: table([shown]) };
  },
};

const set: Command = {
  usage: "--account A --package K --threshold P --month-max M   (M in the smallest unit)",
  options: {
    account: "string",
    package: "string",
    threshold: "string",
    "month-max": "string",
  },
  async run({ pool }, flags) {
    const accountId = flags.text("account");
    const threshold = flags.pointsNotNegative("threshold");
    const monthMax = flags.whole("month-max");
    if (threshold === null) throw new UsageError("--threshold is missing");
    if (monthMax === undefined) throw new UsageError("--month-max is missing");
    const terms = { accountId, packageId: flags.text("package"), threshold, monthMax };
    await setAutoTopup({ pool }, actor, terms);
    const shown = view(await showAutoTopup({ pool }, { accountId }));
    return { json: { auto_topup: shown }, text: table([shown]) };
  },
};

const off: Command = {
  usage: "--account A",
  options: { account: "string" },
  async run({ pool }, flags) {
    const accountId = flags.text("account");
    await stopAutoTopup({ pool }, actor, { accountId });
    return { json: { off: accountId }, text: `${accountId} is not topped up automatically.` };
  },
};

const removeSavedCard: Command = {
  usage: "--account A",
  options: { account: "string" },
  async run({ pool }, flags) {
    const accountId = flags.text("account");
    await removeCard({ pool }, actor, { accountId });
    return { json: { removed: accountId }, text: `${accountId} has no saved card.` };
  },
};

const sweep: Command = {
  usage: "   (charges what is due now, and asks about charges without an answer)",
  options: {},
  async run({ pool, ledger, settings }) {
    const stripe = stripeOf(settings);
    const opened = await sweepAutoTopups({ pool, ledger }, stripe);
    await finishCardCheckouts({ pool }, stripe);
    return { json: { opened }, text: `${opened} automatic top-ups were due.` };
  },
};

export const autoTopupCommands = { list, show, set, off, "remove-card": removeSavedCard, sweep };
