/** Short forms of the soaks that need real programs, or a real earlier build, beside this one. */
import { expect, test } from "vitest";
import { buildProduct } from "@/testing/product/product";
import { missingPrograms } from "./ha/patroni";
import { soakPatroni } from "./ha/soak-patroni";
import { soakRolling } from "./rolling";

test("an earlier release serves beside today's and takes nothing away from it, in an upgrade and back", async ({
  skip,
}) => {
  skip(process.env.EARLIER_RELEASE === undefined, "EARLIER_RELEASE names no earlier build");
  buildProduct();
  expect(await soakRolling(2)).toEqual([]);
}, 1_200_000);

test("Patroni promotes the synchronous standby, both addresses lead to it, and nothing is lost or doubled", async ({
  skip,
}) => {
  const missing = missingPrograms();
  skip(missing !== null, `${missing} is not installed`);
  buildProduct();
  expect(await soakPatroni(4, 60_000)).toEqual([]);
}, 1_200_000);
