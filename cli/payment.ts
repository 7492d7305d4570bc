import { RelayError } from "@/lib/failures/relay-error";
import { showOwnPayment } from "@/lib/queries/payments";
import { checkPayment, sweepPayments } from "@/lib/topup/payments";
import { stripeOf } from "@/lib/topup/stripe";
import { ACCOUNT, accountNamed } from "./account-option";
import type { Command } from "./command";
import { table } from "./table";

const sweep: Command = {
  usage:
    "   (completes interrupted payments, and asks the payment provider about those without any event)",
  async run({ pool, ledger, settings }) {
    const taken = await sweepPayments({ pool, ledger }, stripeOf(settings));
    return { json: { taken }, text: `${taken} payments were handled.` };
  },
};

const check: Command = {
  usage: `--id P ${ACCOUNT}; asks the payment provider at once`,
  async run(installation, flags) {
    const stripe = stripeOf(installation.settings);
    if (stripe === null) throw new RelayError("payments_unavailable");
    const named = { accountId: await accountNamed(installation, flags), id: flags.text("id") };
    await checkPayment(installation, stripe, { ...named, paymentId: named.id });
    const { payment } = await showOwnPayment(installation, named);
    const { id, state, points } = payment;
    return { json: { payment }, text: table([{ id, state, points: String(points) }]) };
  },
};

/** The others are made from rows. */
export const paymentCommands = { check, sweep };
