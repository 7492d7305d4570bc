import { recordAction } from "@/lib/accounts/actions";
import { pointsNumber } from "@/lib/points";
import { createVouchers } from "@/lib/topup/vouchers";
import { type Command, UsageError } from "./command";

const create: Command = {
  usage: "--points N [--count K] [--expires ISO]",
  options: { points: "string", count: "string", expires: "string" },
  async run({ database }, given) {
    const points = given.pointsNotNegative("points");
    if (points === null) throw new UsageError("--points is missing");
    const count = given.whole("count") ?? 1;
    const vouchers = await createVouchers(database, { points, count, expiresAt: given.moment("expires") });
    await recordAction(database, {
      actor: "cli",
      action: "voucher.create",
      subject: "vouchers",
      detail: { count, points: pointsNumber(points) },
    });
    return { json: { vouchers }, text: vouchers.join("\n") };
  },
};

export const voucherCommands = { create };
