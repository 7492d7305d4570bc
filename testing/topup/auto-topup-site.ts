/** A site with payments, and accounts with a saved card and automatic top-up. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { setAutoTopup } from "@/lib/commands/auto-topup";
import { checkSavedCard, startSavingCard } from "@/lib/commands/saved-card";
import { openPool } from "@/lib/db/pool";
import type { PagesDeps } from "@/lib/pages-api/pages-deps";
import { sweepAutoTopups } from "@/lib/topup/sweep-auto-topups";
import { ownerUrlOf } from "@/testing/db/test-database";
import { type PaymentSite, startPaymentSite } from "./payment-site";
import type { CardKind } from "./stripe-cards";

const points = (count: number) => BigInt(count) * 1_000_000n;

export type AutoTopupSite = Awaited<ReturnType<typeof startAutoTopupSite>>;

/** Three processes' worth of connections. */
const PROCESSES = 3;
const returnUrl = "http://localhost:3000/points";

const aged = {
  payment: ["created_at", "checked_at"],
  auto_topup_charge: ["created_at"],
  auto_topup: ["retry_at"],
  card_checkout: ["created_at", "checked_at"],
};

/** What tests read about an account. */
function readers(deps: PagesDeps) {
  const rowsOf = async <Row extends object>(text: string, accountId: string) =>
    (await deps.pool.query<Row>(text, [accountId])).rows;
  return {
    rowsOf,
    stateOf: async (accountId: string) =>
      (await deps.pool.query("select * from auto_topup where account_id = $1", [accountId]))
        .rows[0],
    checkoutOf: async (accountId: string) => {
      const [row] = await rowsOf<{ id: string; session_id: string }>(
        "select id, session_id from card_checkout where account_id = $1 order by id desc limit 1",
        accountId,
      );
      if (row === undefined) throw new Error("no page was opened");
      return row;
    },
    chargesOf: (accountId: string) =>
      rowsOf<{ id: string; status: string; outcome: string | null }>(
        `select p.id, p.status, c.outcome from auto_topup_charge c join payment p on p.id = c.payment_id
          where c.account_id = $1 order by c.created_at`,
        accountId,
      ),
    toldOf: async (accountId: string) =>
      (
        await rowsOf<{ kind: string; reason: string | null }>(
          "select kind, data ->> 'reason' as reason from notification where account_id = $1 order by created_at, kind",
          accountId,
        )
      ).map(({ kind, reason }) => (reason === null ? kind : `${kind}:${reason}`)),
  };
}

/** What tests do with an account. */
function writers({ site, fake, newAccount }: PaymentSite, owner: pg.Pool) {
  const { deps } = site;
  let refs = 0;
  const terms = { packageId: "pkg_a", threshold: points(20), monthMax: 100_000 };
  const move = (accountId: string, kind: "grant" | "adjust_down", count: number) => {
    const entry = { accountId, kind, ref: `test:${++refs}`, amount: points(count) };
    return deps.ledger.credit({ ...entry, reason: "test", actor: "cli" });
  };
  /** Saves a card as the person would, on the payment provider's page. */
  async function saveCard(accountId: string, kind: CardKind = "good"): Promise<void> {
    await startSavingCard(deps, fake.stripe, "user_1", { accountId, returnUrl });
    const { id, session_id } = await readers(deps).checkoutOf(accountId);
    fake.payBy(session_id, kind);
    await checkSavedCard(deps, fake.stripe, { accountId, id });
  }
  const turnOn = (accountId: string, changes: Partial<typeof terms> = {}) =>
    setAutoTopup(deps, "user_1", { accountId, ...terms, ...changes });
  return {
    move,
    saveCard,
    turnOn,
    /** An account with points, a saved card, and automatic top-up below 20 points. */
    async account(has = 5, changes: Partial<typeof terms> & { card?: CardKind } = {}) {
      const { card, ...given } = changes;
      const accountId = await newAccount();
      if (has > 0) await move(accountId, "grant", has);
      await saveCard(accountId, card);
      await turnOn(accountId, given);
      return accountId;
    },
    /** Lets time pass for the account's payments and charges. */
    async age(accountId: string, time: string): Promise<void> {
      for (const [table, columns] of Object.entries(aged)) {
        const set = columns.map((name) => `${name} = ${name} - $2::interval`).join(", ");
        await owner.query(`alter table ${table} disable trigger user`);
        await owner.query(`update ${table} set ${set} where account_id = $1`, [accountId, time]);
        await owner.query(`alter table ${table} enable trigger user`);
      }
    },
  };
}

export async function startAutoTopupSite() {
  const payments = await startPaymentSite();
  const { site, fake } = payments;
  const { deps, databaseUrl } = site;
  const owner = new pg.Pool({ connectionString: ownerUrlOf(databaseUrl), max: 1 });
  const pools = Array.from({ length: PROCESSES }, () => openPool(databaseUrl, 7));
  const sweep = (pool = deps.pool) => sweepAutoTopups({ pool, ledger: deps.ledger }, fake.stripe);
  const read = readers(deps);
  return {
    ...{ payments, site, deps, fake, owner, sweep, returnUrl },
    ...read,
    ...writers(payments, owner),
    pointsOf: payments.pointsOf,
    /** As from 20 processes at once. */
    sweepOften: () =>
      Promise.allSettled(
        Array.from({ length: 20 }, async (_, at) => {
          await sleep((at * 7) % 5);
          await sweep(pools[at % PROCESSES]);
        }),
      ),
    /** The charges that the payment provider made of an account's card. */
    async paid(accountId: string) {
      const rows = await read.rowsOf<{ customer_id: string }>(
        "select distinct customer_id from auto_topup_charge where account_id = $1",
        accountId,
      );
      return fake.cards.paid().filter(({ customer }) => customer === rows[0]?.customer_id);
    },
    async close() {
      await Promise.all([owner.end(), ...pools.map((pool) => pool.end())]);
      await payments.close();
    },
  };
}
