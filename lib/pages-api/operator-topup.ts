/** What operators see and change about vouchers, packages and payments. */
import * as packages from "../commands/packages";
import { attendPayment } from "../commands/payments";
import * as vouchers from "../commands/vouchers";
import type { topupEndpoints } from "../contract/operator-topup";
import { optionalPoints, requestedPoints } from "../money/requested-points";
import { listAllPackages, packageView } from "../queries/packages";
import { listAllPayments } from "../queries/payments";
import { listBatchVouchers, listVoucherBatches, vouchersCsv } from "../queries/vouchers";
import type { ProgramDeps, UseCases } from "./use-case";

export const topupUseCases: UseCases<typeof topupEndpoints, ProgramDeps> = {
  listVoucherBatches: ({ deps, query }) => listVoucherBatches(deps, query),
  async createVouchers({ deps, body, user }) {
    const { name, points, count, expiresAt, plan = null } = body;
    return vouchers.createVouchers(deps, user.userId, {
      name,
      count,
      plan,
      points: optionalPoints("points", points) ?? null,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    });
  },
  listBatchVouchers: ({ deps, id, query }) => listBatchVouchers(deps, { ...query, batchId: id }),
  async downloadBatch({ deps, id }) {
    return { name: `vouchers-${id}.csv`, lines: await vouchersCsv(deps, { batchId: id }) };
  },
  async cancelVouchers({ deps, id, user }) {
    return { cancelled: await vouchers.cancelVouchers(deps, user.userId, { batchId: id }) };
  },
  listAllPackages: ({ deps }) => listAllPackages(deps),
  async createPackage({ deps, body, user }) {
    const terms = { ...body, points: requestedPoints("points", body.points) };
    return { package: packageView(await packages.createPackage(deps, user.userId, terms)) };
  },
  async changePackage({ deps, body, id, user }) {
    const points = body.points === undefined ? undefined : requestedPoints("points", body.points);
    const changed = await packages.changePackage(deps, user.userId, { ...body, points, id });
    return { package: packageView(changed) };
  },
  listAllPayments: ({ deps, query }) => listAllPayments(deps, query),
  async attendPayment({ deps, id, user }) {
    await attendPayment(deps, user.userId, { id });
    return { attended: true };
  },
};
