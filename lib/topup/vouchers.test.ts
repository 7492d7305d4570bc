import { expect, test } from "vitest";
import { ledgerWith, startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { createAccount } from "../accounts/create-account";
import { cancelVouchers, createVouchers } from "../commands/vouchers";
import { listBatches, listVouchers } from "../queries/voucher-batches";
import { finishRedemptions, redeemVoucher } from "./vouchers";

let people = 0;
const site = await opened(startSiteProcess());

async function newAccount(): Promise<string> {
  const email = `v${++people}@example.com`;
  return (await createAccount(site.deps.database, site.deps.ledger, { email })).accountId;
}
const newCode = async (expiresAt: Date | null = null) =>
  (
    await createVouchers(site.deps, "cli", {
      name: "test",
      points: 5_000_000n,
      count: 1,
      expiresAt,
    })
  ).codes[0] as string;
const redeem = (accountId: string, code: string, ledger = site.deps.ledger) =>
  redeemVoucher(site.deps.pool, ledger, { accountId, code });
const pointsOf = async (accountId: string) => (await site.deps.ledger.balance(accountId)).available;

test("a voucher adds its points, however its code is typed, and only its hash is stored", async () => {
  const accountId = await newAccount();
  const code = await newCode();
  expect(code).toMatch(/^RLY(-[0-9A-HJKMNP-TV-Z]{4}){4}$/);
  expect(await redeem(accountId, ` ${code.toLowerCase().replaceAll("-", " ")} `)).toBe(5_000_000n);
  expect(await pointsOf(accountId)).toBe(5_000_000n);
  const dump = JSON.stringify(
    (await site.deps.pool.query("select v.*, encode(code_hash, 'escape') as text from voucher v"))
      .rows,
  );
  expect(dump).not.toContain(code.slice(4));
});

test("of 20 redemptions at once by four accounts exactly one is credited", async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, newAccount));
  const code = await newCode();
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => redeem(accounts[i % 4] as string, code)),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const total = (await Promise.all(accounts.map(pointsOf))).reduce(
    (sum, points) => sum + points,
    0n,
  );
  expect(total).toBe(5_000_000n);
});

test("a redemption interrupted before or after its credit is finished once, by a repetition or in the background", async () => {
  const lost = ledgerWith(site.deps.ledger, {
    credit: () => Promise.reject(new Error("cut off before")),
  });
  const unheard = ledgerWith(site.deps.ledger, {
    async credit(request) {
      await site.deps.ledger.credit(request);
      throw new Error("cut off after");
    },
  });
  for (const broken of [lost, unheard]) {
    const accountId = await newAccount();
    const code = await newCode();
    await expect(redeem(accountId, code, broken)).rejects.toThrow("cut off");
    await expect(redeem(await newAccount(), code)).rejects.toMatchObject({
      message: "The voucher was already used.",
    });
    await redeem(accountId, code).catch(() => {});
    expect(await pointsOf(accountId)).toBe(5_000_000n);
  }
  const accountId = await newAccount();
  await expect(redeem(accountId, await newCode(), lost)).rejects.toThrow("cut off");
  await site.deps.pool.query(
    "update voucher set redeemed_at = now() - interval '1 minute' where credited_at is null and redeemed_at is not null",
  );
  expect(await finishRedemptions(site.deps.pool, site.deps.ledger)).toBe(1);
  expect(await finishRedemptions(site.deps.pool, site.deps.ledger)).toBe(0);
  expect(await pointsOf(accountId)).toBe(5_000_000n);
});

test("used, expired and unknown vouchers get different errors, and guessing ends after ten", async () => {
  const accountId = await newAccount();
  const code = await newCode();
  await redeem(accountId, code);
  await expect(redeem(accountId, code)).rejects.toMatchObject({
    code: "invalid_value",
    param: "code",
    message: "You have already redeemed this voucher.",
  });
  await expect(redeem(await newAccount(), code)).rejects.toMatchObject({
    message: "The voucher was already used.",
  });
  const expired = await newCode(new Date(Date.now() + 60_000));
  await site.deps.pool.query(
    "update voucher set expires_at = now() - interval '1 second' where expires_at is not null",
  );
  await expect(redeem(accountId, expired)).rejects.toMatchObject({
    message: "The voucher has expired.",
  });
  for (let i = 0; i < 9; i++)
    await expect(redeem(accountId, `RLY-0000-0000-0000-000${i}`)).rejects.toMatchObject({
      code: "invalid_value",
    });
  await expect(redeem(accountId, await newCode())).rejects.toMatchObject({
    code: "sign_in_rate_limited",
  });
});

test("a batch shows how many vouchers were redeemed, by whom and when; cancelling the rest makes them worthless", async () => {
  const { pool } = site.deps;
  const terms = { name: "Spring", points: 2_000_000n, count: 4, expiresAt: null };
  const { batchId, codes } = await createVouchers(site.deps, "cli", terms);
  const accountId = await newAccount();
  await redeem(accountId, codes[0] as string);
  const shown = async () => (await listBatches(pool, {})).batches.find(({ id }) => id === batchId);
  expect(await shown()).toMatchObject({
    name: "Spring",
    points: 2_000_000n,
    count: 4,
    redeemed: 1,
    left: 3,
    cancelledAt: null,
  });
  const racing = await Promise.allSettled([
    cancelVouchers(site.deps, "cli", { batchId }),
    redeem(accountId, codes[1] as string),
  ]);
  const won = racing[1].status === "fulfilled";
  expect(await shown()).toMatchObject({
    redeemed: won ? 2 : 1,
    cancelled: won ? 2 : 3,
    left: 0,
    cancelledAt: expect.any(Date),
  });
  await expect(redeem(accountId, codes[2] as string)).rejects.toMatchObject({
    message: "The voucher was cancelled.",
  });
  expect(await pointsOf(accountId)).toBe(won ? 4_000_000n : 2_000_000n);
  const { vouchers } = await listVouchers(pool, { batchId });
  expect(vouchers.filter((voucher) => voucher.accountId === accountId)).toHaveLength(won ? 2 : 1);
  expect(vouchers).toHaveLength(4);
  await expect(cancelVouchers(site.deps, "cli", { batchId: "vb_none" })).rejects.toMatchObject({
    code: "not_found",
  });
});
