/** What operators do about vouchers, packages and payments. */
import type { z } from "zod";
import { changePackage, createPackage } from "../commands/packages";
import { attendPayment } from "../commands/payments";
import { cancelVouchers, createVouchers } from "../commands/vouchers";
import type { changePackageRequest, createBatchRequest, createPackageRequest } from "../contract/operator-topup";
import { packageView } from "../queries/packages";
import { requestedPoints } from "../requested-points";
import type { Call } from "../site/call";

export async function createBatch({ parts, body, user }: Call<z.output<typeof createBatchRequest>>) {
  const { name, points, count, expiresAt } = body;
  return createVouchers(parts, user().userId, {
    name,
    count,
    points: requestedPoints("points", points),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  });
}

export async function cancelBatch({ parts, id, user }: Call) {
  return { cancelled: await cancelVouchers(parts, user().userId, { batchId: id }) };
}

export async function createOnePackage({ parts, body, user }: Call<z.output<typeof createPackageRequest>>) {
  const made = await createPackage(parts, user().userId, { ...body, points: requestedPoints("points", body.points) });
  return { package: packageView(made) };
}

export async function changeOnePackage({ parts, body, id, user }: Call<z.output<typeof changePackageRequest>>) {
  const points = body.points === undefined ? undefined : requestedPoints("points", body.points);
  const changed = await changePackage(parts, user().userId, { ...body, points, id });
  return { package: packageView(changed) };
}

export async function attendToPayment({ parts, id, user }: Call) {
  await attendPayment(parts, user().userId, { id });
  return { attended: true as const };
}
