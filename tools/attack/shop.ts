/** What a shop has that a stranger may try: payments, referral links, and a month that is archived. */
import pg from "pg";
import { monthsToArchive } from "@/lib/ledger/archive/archive-register";
import { sealLedger } from "@/lib/ledger/audit/seal";
import { daysSinceMonth, giveMonthsPartitions } from "@/testing/ledger/own-partitions";
import { seedHistory } from "@/testing/ledger/sealed-history";
import type { Relay } from "@/testing/stage/command-line";
import { openDatabase } from "@/testing/stage/stage";

/** Written by `seedHistory`. */
const HISTORY_ACCOUNT = "acct_history_1";
const ARCHIVED = 100;

export interface Shop {
  /** Requests of the history's account that are only in files. */
  readonly archived: readonly string[];
  /** What the link of the attacker's account ends with. */
  readonly referralCode: string;
  /** What was credited although nobody paid. */
  creditFaults(): Promise<string[]>;
}

async function archive(owner: pg.Client, url: string, relay: Relay): Promise<string[]> {
  await giveMonthsPartitions(owner, 6);
  await seedHistory(owner, url, { requests: 4000, days: daysSinceMonth(6), accounts: 2 });
  const [, month] = await monthsToArchive(owner);
  if (month === undefined) throw new Error("the history has no month to archive");
  const { rows } = await owner.query<{ id: string }>(
    "select id from request where id >= $1 and id < $2 and account_id = $3 limit $4",
    [month.starts, month.below, HISTORY_ACCOUNT, ARCHIVED],
  );
  await sealLedger(owner);
  await relay("archive", "run", "--month", month.name);
  await relay("archive", "drop", "--month", month.name);
  return rows.map(({ id }) => id);
}

/** `archivist`: who gets the history's account; `referrer`: whose link it is. */
export async function openShop(
  dataFolder: string,
  relay: Relay,
  { archivist, referrer }: { readonly archivist: string; readonly referrer: string },
): Promise<Shop> {
  const { url, ownerUrl } = await openDatabase(dataFolder);
  const owner = new pg.Client({ connectionString: ownerUrl });
  owner.on("error", () => {});
  await owner.connect();
  const archived = await archive(owner, url, relay);
  await owner.query('update "user" set account_id = $1 where email = $2', [
    HISTORY_ACCOUNT,
    archivist,
  ]);
  const { rows } = await owner.query<{ code: string }>(
    `select referral_code as code from account a join "user" u on u.account_id = a.id where u.email = $1`,
    [referrer],
  );
  await relay("setting", "set", "--name", "referral_points", "--value", "50");
  const pack = ["--name", "Pack", "--points", "100", "--amount", "500", "--currency", "usd"];
  await relay("package", "create", ...pack);
  const paidFor = async () =>
    (
      await owner.query<{ n: number }>(
        "select count(*)::int as n from ledger_entry where kind in ('topup', 'referral', 'voucher')",
      )
    ).rows[0]?.n ?? 0;
  const before = await paidFor();
  return {
    archived,
    referralCode: rows[0]?.code ?? "",
    async creditFaults() {
      const n = (await paidFor()) - before;
      await owner.end();
      return n === 0 ? [] : [`${n} credits for what nobody paid, nor was given`];
    },
  };
}
