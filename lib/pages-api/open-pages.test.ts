import { expect, test, vi } from "vitest";
import { ledgerWith, startSiteProcess } from "@/testing/pages-api/site-process";
import { createAccount } from "../accounts/create-account";
import { createVouchers } from "../commands/vouchers";
import { redeemVoucher } from "../topup/vouchers";
import { openPages } from "./open-pages";
import { pagesDeps } from "./pages-deps";

test("a starting process credits the vouchers that another one left half-redeemed, and provides the pages' dependencies", async () => {
  expect(pagesDeps).toThrow("before the process was composed");
  const { deps, databaseUrl, close } = await startSiteProcess();
  const person = { email: "half@example.com" };
  const { accountId } = await createAccount(deps.database, deps.ledger, person);
  const made = await createVouchers(deps, "cli", {
    name: "t",
    points: 7n,
    count: 1,
    expiresAt: null,
  });
  const code = made.codes[0] ?? "";
  const killed = ledgerWith(deps.ledger, { credit: () => Promise.reject(new Error("killed")) });
  await expect(redeemVoucher(deps.pool, killed, { accountId, code })).rejects.toThrow("killed");
  await deps.pool.query("update voucher set redeemed_at = now() - interval '1 minute'");
  const site = openPages({ ...deps, databaseUrl });
  expect(pagesDeps().ledger).toBe(deps.ledger);
  await vi.waitFor(async () => expect((await deps.ledger.balance(accountId)).available).toBe(7n), {
    timeout: 5000,
  });
  await site.close();
  await close();
});
