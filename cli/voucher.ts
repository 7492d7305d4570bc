import { cancelVouchers, createVouchers } from "@/lib/commands/vouchers";
import { pointsNumber } from "@/lib/money/points";
import { findPlan } from "@/lib/queries/plans";
import { listBatches, listVouchers } from "@/lib/queries/voucher-batches";
import { redeemVoucher } from "@/lib/topup/vouchers";
import { ACCOUNT, accountNamed } from "./account-option";
import { actor, type Command, type PoolCommand, UsageError } from "./command";
import { table } from "./table";

const create: Command = {
  usage:
    "--points N|--plan P [--periods N] [--count K] [--name N] [--expires ISO]   (the codes are shown only once)",
  options: {
    points: "string",
    plan: "string",
    periods: "string",
    count: "string",
    name: "string",
    expires: "string",
  },
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

const list: PoolCommand = {
  usage: "[--cursor C]",
  options: { cursor: "string" },
  async runOnPool(pool, flags) {
    const { batches, nextCursor } = await listBatches(pool, {
      cursor: flags.optional("cursor") ?? undefined,
    });
    const rows = batches.map(
      ({
        id,
        name,
        points,
        plan,
        planPeriods,
        count,
        redeemed,
        cancelled,
        left,
        expiresAt,
        createdAt,
      }) => ({
        id,
        name,
        points: pointsNumber(points),
        plan,
        periods: planPeriods,
        count,
        redeemed,
        cancelled,
        left,
        expires_at: expiresAt?.toISOString() ?? null,
        created_at: createdAt.toISOString(),
      }),
    );
    return { json: { batches: rows, next_cursor: nextCursor }, text: table(rows) };
  },
};

const show: PoolCommand = {
  usage: "--batch B [--offset N]",
  options: { batch: "string", offset: "string" },
  async runOnPool(pool, flags) {
    const { vouchers, nextOffset } = await listVouchers(pool, {
      batchId: flags.text("batch"),
      offset: flags.whole("offset"),
    });
    const rows = vouchers.map(({ id, state, redeemedAt, accountId, email }) => ({
      id,
      state,
      redeemed_at: redeemedAt?.toISOString() ?? null,
      account: accountId,
      email,
    }));
    return { json: { vouchers: rows, next_offset: nextOffset }, text: table(rows) };
  },
};

const cancel: Command = {
  usage: "--batch B   (cancels those that were not redeemed)",
  options: { batch: "string" },
  async run(installation, flags) {
    const cancelled = await cancelVouchers(installation, actor, { batchId: flags.text("batch") });
    return { json: { cancelled }, text: `${cancelled} vouchers were cancelled.` };
  },
};

const redeem: Command = {
  usage: `--code - ${ACCOUNT}; the code comes from standard input`,
  options: { account: "string", code: "string" },
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

export const voucherCommands = { create, list, show, cancel, redeem };
