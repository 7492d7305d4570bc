/** Packages, payments, vouchers, corrections and refunds. */
import { setBilling } from "@/lib/commands/invoices";
import { changePackage, createPackage } from "@/lib/commands/packages";
import { attendPayment } from "@/lib/commands/payments";
import { adjustPoints, refundCharge } from "@/lib/commands/points";
import { cancelVouchers, createVouchers } from "@/lib/commands/vouchers";
import { newId } from "@/lib/ids";
import { MICROPOINTS_PER_POINT } from "@/lib/points";
import { redeemVoucher } from "@/lib/topup/vouchers";
import { CUSTOMER, people } from "../people";
import { HISTORY_DAYS, MINUTE, momentOf } from "../rhythm";
import type { Writing } from "../writing";
import { addSpecialPayments, buy } from "./payments";

const points = (amount: number) => BigInt(amount) * MICROPOINTS_PER_POINT;

const packages = [
  { name: "Trial", note: null, amount: 200, price: 250, currency: "eur" },
  { name: "Starter", note: "For a first project", amount: 1000, price: 990, currency: "eur" },
  {
    name: "Studio",
    note: "The usual choice of teams",
    amount: 10_000,
    price: 8900,
    currency: "eur",
  },
  { name: "Scale", note: "With an invoice", amount: 50_000, price: 39_900, currency: "eur" },
  { name: "Studio (USD)", note: null, amount: 10_000, price: 9600, currency: "usd" },
];

function addPackages(writing: Writing): void {
  const { timeline, given, demo } = writing;
  packages.forEach(({ name, note, amount, price, currency }, position) => {
    timeline.add(momentOf(given.end, HISTORY_DAYS - 1, 10) + position * 4 * MINUTE, async () => {
      const terms = { name, note, points: points(amount), amount: price, currency, position };
      const made = await createPackage(demo, writing.operator, { ...terms, isEnabled: true });
      writing.packages.set(name, made.id);
    });
  });
  timeline.add(momentOf(given.end, 40, 11), () =>
    changePackage(demo, writing.operator, {
      id: writing.packages.get("Trial") ?? "",
      isEnabled: false,
    }),
  );
}

/** Each morning, accounts with few points left buy some. */
function addTopUps(writing: Writing): void {
  const { timeline, given, demo } = writing;
  for (let daysAgo = HISTORY_DAYS - 2; daysAgo > 0; daysAgo--)
    timeline.add(momentOf(given.end, daysAgo, 7), async () => {
      const { rows } = await demo.pool.query<{ account: string; available: string }>(
        `select account_id as account, credits_posted - debits_posted - debits_pending as available
           from wallet`,
      );
      const available = new Map(rows.map((row) => [row.account, BigInt(row.available)]));
      for (const { email, topUp } of people) {
        const { accountId } = writing.people.get(email) ?? {};
        if (topUp === undefined || accountId === undefined || daysAgo < topUp.untilDaysAgo)
          continue;
        if ((available.get(accountId) ?? 0n) < points(topUp.below))
          timeline.add(demo.clock.now() + email.length * MINUTE, () =>
            buy(writing, email, topUp.packageName),
          );
      }
    });
}

interface BatchPlan {
  readonly name: string;
  readonly amount: number;
  readonly count: number;
  readonly daysAgo: number;
  readonly expiresDaysAgo: number | null;
  /** Who redeems a code, and when. */
  readonly redeemed: readonly (readonly [email: string, daysAgo: number])[];
  readonly cancelledDaysAgo?: number;
}

const batches: readonly BatchPlan[] = [
  {
    name: "Autumn workshop",
    amount: 250,
    count: 40,
    daysAgo: 70,
    expiresDaysAgo: -20,
    redeemed: [
      [CUSTOMER, 66],
      ["yuki@kitsune-games.example", 65],
      ["tomas@solano-travel.example", 58],
      ["jonas@weber-tools.example", 50],
      ["priya@atlas-learning.example", 44],
    ],
  },
  {
    name: "Conference booth",
    amount: 100,
    count: 60,
    daysAgo: 50,
    expiresDaysAgo: 15,
    redeemed: [
      ["daniel@harborware.example", 47],
      ["chen.wei@qinghe-media.example", 45],
    ],
  },
  {
    name: "Partner gifts",
    amount: 1000,
    count: 12,
    daysAgo: 33,
    expiresDaysAgo: null,
    redeemed: [[CUSTOMER, 31]],
    cancelledDaysAgo: 18,
  },
  {
    name: "Support goodwill",
    amount: 500,
    count: 10,
    daysAgo: 12,
    expiresDaysAgo: -60,
    redeemed: [
      [CUSTOMER, 5],
      ["olu@brightpath.example", 3],
    ],
  },
];

function addBatch(writing: Writing, batch: BatchPlan): void {
  const { timeline, given, demo } = writing;
  const { name, amount, count, expiresDaysAgo, cancelledDaysAgo } = batch;
  timeline.add(momentOf(given.end, batch.daysAgo, 13), async () => {
    const expiresAt =
      expiresDaysAgo === null ? null : new Date(momentOf(given.end, expiresDaysAgo, 22));
    const terms = { name, points: points(amount), count, expiresAt };
    const { batchId, codes } = await createVouchers(demo, writing.operator, terms);
    batch.redeemed.forEach(([email, daysAgo], index) => {
      const code = codes[index] ?? "";
      timeline.add(momentOf(given.end, daysAgo, 17) + index * MINUTE, () =>
        redeemVoucher(demo.pool, demo.ledger, {
          accountId: writing.person(email).accountId,
          code,
        }),
      );
    });
    if (cancelledDaysAgo !== undefined)
      timeline.add(momentOf(given.end, cancelledDaysAgo, 9), () =>
        cancelVouchers(demo, writing.secondOperator, { batchId }),
      );
  });
}

function addCorrections(writing: Writing): void {
  const { timeline, given, demo } = writing;
  const adjust = (daysAgo: number, email: string, amount: number, reason: string) =>
    timeline.add(momentOf(given.end, daysAgo, 15), () =>
      adjustPoints(demo, writing.secondOperator, {
        accountId: writing.person(email).accountId,
        amount: points(amount),
        reason,
        ref: newId("request"),
      }),
    );
  adjust(41, "priya@atlas-learning.example", 250, "Outage on the evening of the exam week");
  adjust(29, "yuki@kitsune-games.example", -40, "Voucher redeemed twice by mistake");
  adjust(16, "daniel@harborware.example", 300, "Slow answers during the incident");
  const refund = (daysAgo: number, email: string, reason: string) =>
    timeline.add(momentOf(given.end, daysAgo, 16), async () => {
      const { rows } = await demo.pool.query<{ id: string }>(
        `select o.id from settlement s join operation o on o.id = s.operation_id
          where s.account_id = $1 and s.amount > 0 and o.family = 'video'
            and not exists (select from ledger_entry e where e.operation_id = o.id)
          order by s.created_at desc limit 1`,
        [writing.person(email).accountId],
      );
      const operationId = rows[0]?.id;
      if (operationId === undefined) return;
      const terms = { operationId, amount: null, reason, ref: newId("request") };
      await refundCharge(demo, writing.secondOperator, terms);
    });
  refund(38, CUSTOMER, "The video showed the wrong aspect ratio");
  refund(10, CUSTOMER, "Flickering frames, confirmed by the upstream");
  refund(4, "chen.wei@qinghe-media.example", "Watermark although none was ordered");
}

function addAttention(writing: Writing): void {
  const { timeline, given, demo } = writing;
  timeline.add(momentOf(given.end, 13, 10), async () => {
    const { rows } = await demo.pool.query<{ id: string }>(
      "select id from payment where attention is not null order by id",
    );
    for (const { id } of rows) await attendPayment(demo, writing.operator, { id });
  });
}

/** What the customer's invoices name the buyer by. */
function addBilling(writing: Writing): void {
  writing.timeline.add(momentOf(writing.given.end, 40, 11), () => {
    const { accountId, userId } = writing.person(CUSTOMER);
    return setBilling(writing.demo, userId, {
      accountId,
      name: "Lumen Films Lda.",
      address: "Rua do Exemplo 12, 1200-001 Lisboa, Portugal",
      taxNumber: "PT 500 000 000",
    });
  });
}

export function addMoney(writing: Writing): void {
  addPackages(writing);
  addTopUps(writing);
  for (const batch of batches) addBatch(writing, batch);
  addCorrections(writing);
  addSpecialPayments(writing);
  addAttention(writing);
  addBilling(writing);
}
