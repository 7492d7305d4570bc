import { attendPayment } from "@/lib/commands/payments";
import { RelayError } from "@/lib/failures/relay-error";
import { pointsNumber } from "@/lib/money/points";
import { listPayments } from "@/lib/queries/payment-history";
import { showOwnPayment } from "@/lib/queries/payments";
import { checkPayment, sweepPayments } from "@/lib/topup/payments";
import { stripeOf } from "@/lib/topup/stripe";
import { ACCOUNT, accountNamed } from "./account-option";
import { actor, type Command, type PoolCommand } from "./command";
import { table } from "./table";

const list: PoolCommand = {
  usage: "[--account A] [--attention] [--cursor C]",
  options: { account: "string", attention: "boolean", cursor: "string" },
  async runOnPool(pool, flags) {
    const { payments, nextCursor } = await listPayments(pool, {
      accountId: flags.optional("account"),
      needsAttention: flags.flag("attention"),
      cursor: flags.optional("cursor") ?? undefined,
    });
    const rows = payments.map(
      ({
        id,
        number,
        accountId,
        packageName,
        points,
        amount,
        currency,
        state,
        refunded,
        lost,
        attention,
        createdAt,
      }) => ({
        id,
        number: Number(number),
        account: accountId,
        package: packageName,
        points: pointsNumber(points),
        amount,
        currency,
        state,
        refunded,
        lost: pointsNumber(lost),
        attention,
        created_at: createdAt.toISOString(),
      }),
    );
    return { json: { payments: rows, next_cursor: nextCursor }, text: table(rows) };
  },
};

const attend: Command = {
  usage: "--id P   (marks a flagged payment as seen)",
  options: { id: "string" },
  async run(installation, flags) {
    const id = flags.text("id");
    await attendPayment(installation, actor, { id });
    return { json: { attended: id }, text: `${id} no longer needs attention.` };
  },
};

const sweep: Command = {
  usage:
    "   (completes interrupted payments, and asks the payment provider about those without any event)",
  options: {},
  async run({ pool, ledger, settings }) {
    const taken = await sweepPayments({ pool, ledger }, stripeOf(settings));
    return { json: { taken }, text: `${taken} payments were handled.` };
  },
};

const check: Command = {
  usage: `--id P ${ACCOUNT}; asks the payment provider at once`,
  options: { id: "string", account: "string" },
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

export const paymentCommands = { list, attend, check, sweep };
