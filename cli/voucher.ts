import { createVouchers } from "@/lib/commands/vouchers";
import { pointsNumber } from "@/lib/money/points";
import { findPlan } from "@/lib/queries/plans";
import { redeemVoucher } from "@/lib/topup/vouchers";
import { ACCOUNT, accountNamed } from "./account-option";
import { actor, type Command, UsageError } from "./command";

const create: Command = {
  usage:
    "--points N|--plan P [--periods N] [--count K] [--name N] [--expires ISO]   (the codes are shown only once)",
  async run(installation, flags) {
    const points = flags.pointsNotNegative("points");
    const named = flags.optional("plan");
    if (points === null && named === null) throw new UsageError("--points or --plan is missing");
    const plan = named === null ? null : await findPlan(installation, named);
    const { batchId, codes } = await createVouchers(installation, actor, {
      name: flags.optional("name") ?? "Command line",
      points,
      plan: plan && { id: plan.id, periods: flags.whole("periods") ?? 1 },
      count: flags.whole("count") ?? 1,
      expiresAt: flags.moment("expires"),
    });
    return { json: { batch: batchId, vouchers: codes }, text: codes.join("\n") };
  },
};

const redeem: Command = {
  usage: `--code - ${ACCOUNT}; the code comes from standard input`,
  async run(installation, flags) {
    const code = await flags.secret("code", null);
    if (code === null) throw new UsageError("--code is missing");
    const accountId = await accountNamed(installation, flags);
    const points = await redeemVoucher(installation.pool, installation.ledger, { accountId, code });
    return {
      json: { account: accountId, points: pointsNumber(points) },
      text: `${accountId} got ${pointsNumber(points)} points.`,
    };
  },
};

/** The others are made from rows. */
export const voucherCommands = { create, redeem };
