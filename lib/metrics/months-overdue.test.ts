/** Operators see when months of requests stay in the database for longer than they are to be kept. */
import { expect, test } from "vitest";
import { openArchivedMonths } from "@/testing/ledger/archived-months";
import { opened } from "@/testing/unit/opened";
import { dropMonth } from "../archive/drop-month";
import { addInstallationFigures } from "./installation-figures";
import { createRegistry } from "./registry";

const scene = await opened(openArchivedMonths());

async function overdue(requestMonths: number): Promise<number> {
  const registry = createRegistry();
  const keep = { deliveryDays: 30, signInFailureHours: 1, requestMonths };
  await addInstallationFigures(registry, scene.product, keep, () => true)();
  return Number(/^relay_request_months_overdue (\d+)$/m.exec(registry.text())?.[1]);
}

test("months that are kept for too long are counted until they are dropped", async () => {
  // In the first two days of a month, its last one is not overdue yet.
  const late = new Date(Date.now() - 2 * 86_400_000);
  const isOld = (name: string, months: number) =>
    Date.parse(`${name}-01`) < Date.UTC(late.getUTCFullYear(), late.getUTCMonth() - months);
  const own = Array.from({ length: scene.count - 1 }, (_, place) => scene.month(place + 1).name);
  expect(await overdue(0)).toBe(0);
  expect(await overdue(60)).toBe(0);
  const expected = own.filter((name) => isOld(name, 4)).length;
  expect(expected).toBeGreaterThan(1);
  expect(await overdue(4)).toBe(expected);
  const { owner, product: reader, blobs } = scene;
  await dropMonth({ owner, reader, blobs }, scene.month(1));
  expect(await overdue(4)).toBe(expected - 1);
}, 120_000);
