import { finishCardCheckouts } from "@/lib/commands/saved-card";
import type { AutoTopupView } from "@/lib/contract/auto-topup";
import { listAutoTopups } from "@/lib/queries/auto-topup";
import { stripeOf } from "@/lib/topup/stripe";
import { sweepAutoTopups } from "@/lib/topup/sweep-auto-topups";
import type { Command, PoolCommand } from "./command";
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
  async runOnPool(pool, flags) {
    const found = await listAutoTopups({ pool }, { cursor: flags.optional("cursor") ?? undefined });
    const rows = found.map((each) => ({ account: each.accountId, ...view(each) }));
    return { json: { auto_topups: rows }, text: table(rows) };
  },
};

const sweep: Command = {
  usage: "   (charges what is due now, and asks about charges without an answer)",
  async run({ pool, ledger, settings }) {
    const stripe = stripeOf(settings);
    const opened = await sweepAutoTopups({ pool, ledger }, stripe);
    await finishCardCheckouts({ pool }, stripe);
    return { json: { opened }, text: `${opened} automatic top-ups were due.` };
  },
};

/** The others are made from rows. */
export const autoTopupCommands = { list, sweep };
