/** Packages, purchases, vouchers, corrections and refunds. */
import { setBilling } from "@/lib/commands/invoices";
import { changePackage, createPackage } from "@/lib/commands/packages";
import { attendPayment } from "@/lib/commands/payments";
import { adjustPoints, refundCharge } from "@/lib/commands/points";
import { cancelVouchers, createVouchers } from "@/lib/commands/vouchers";
import { newId } from "@/lib/crypto/ids";
import { redeemVoucher } from "@/lib/topup/vouchers";
import { CUSTOMER, people } from "../people";
import { HISTORY_DAYS, momentOf } from "../times";
import { points, type Writing } from "../writing";
import { addSpecialPayments, buy } from "./payments";

const packages = [
  ["Trial", null, 200, 250, "eur"],
  ["Starter", "For a first project", 1000, 990, "eur"],
  ["Studio", "The usual choice of teams", 10_000, 8900, "eur"],
  ["Scale", "With an invoice", 50_000, 39_900, "eur"],
  ["Studio (USD)", null, 10_000, 9600, "usd"],
] as const;

function addPackages(writing: Writing): void {
  const { demo } = writing;
  packages.forEach(([name, note, amount, amountPaid, currency], position) => {
    writing.at(HISTORY_DAYS - 1, 10 + position / 10, async () => {
      const terms = { name, note, points: points(amount), amount: amountPaid, currency, position };
      const made = await createPackage(demo, writing.operator, { ...terms, isEnabled: true });
      writing.packages.set(name, made.id);
    });
  });
  writing.at(40, 11, () => {
    const id = writing.packages.get("Trial") ?? "";
    return changePackage(demo, writing.operator, { id, isEnabled: false });
  });
}

/** Each morning, accounts with few points left buy some. */
function addTopUps(writing: Writing): void {
  const available = `select account_id from wallet
     where account_id = $1 and credits_posted - debits_posted - debits_pending < $2`;
  for (let daysAgo = HISTORY_DAYS - 2; daysAgo > 0; daysAgo--)
    writing.at(daysAgo, 7, async () => {
      for (const { email, topUp } of people) {
        const { accountId } = writing.people.get(email) ?? {};
        if (topUp === undefined || accountId === undefined || daysAgo < topUp.untilDaysAgo)
          continue;
        const { rowCount } = await writing.demo.pool.query(available, [
          accountId,
          points(topUp.below),
        ]);
        if (rowCount === 1)
          writing.later(email.length, () => buy(writing, email, topUp.packageName));
      }
    });
}

/** Name, points, codes, days ago, when they expire, and who redeems a code when. */
const batches = [
  [
    ...(["Autumn workshop", 250, 40, 70, -20] as const),
    [
      [CUSTOMER, 66],
      ["yuki@kitsune-games.example", 65],
      ["tomas@solano-travel.example", 58],
      ["jonas@weber-tools.example", 50],
      ["priya@atlas-learning.example", 44],
    ],
  ],
  [
    ...(["Conference booth", 100, 60, 50, 15] as const),
    [
      ["daniel@harborware.example", 47],
      ["chen.wei@qinghe-media.example", 45],
    ],
  ],
  ["Partner gifts", 1000, 12, 33, null, [[CUSTOMER, 31]]],
  [
    ...(["Support goodwill", 500, 10, 12, -60] as const),
    [
      [CUSTOMER, 5],
      ["olu@brightpath.example", 3],
    ],
  ],
] as const;

function addVouchers(writing: Writing): void {
  const { demo, given } = writing;
  for (const [name, amount, count, daysAgo, expiresDaysAgo, redeemed] of batches)
    writing.at(daysAgo, 13, async () => {
      const expiresAt =
        expiresDaysAgo === null ? null : new Date(momentOf(given.end, expiresDaysAgo, 22));
      const terms = { name, points: points(amount), count, expiresAt };
      const { batchId, codes } = await createVouchers(demo, writing.operator, terms);
      redeemed.forEach(([email, redeemedDaysAgo], index) => {
        const code = codes[index] ?? "";
        writing.at(redeemedDaysAgo, 17 + index / 60, () => {
          const { accountId } = writing.person(email);
          return redeemVoucher(demo.pool, demo.ledger, { accountId, code });
        });
      });
      if (name === "Partner gifts")
        writing.at(18, 9, () => cancelVouchers(demo, writing.secondOperator, { batchId }));
    });
}

const lastVideo = `
  select id from request r where account_id = $1 and amount > 0 and family = 'video'
     and not exists (select from ledger_entry e where e.operation_id = r.id)
   order by ended_at desc limit 1`;

function addCorrections(writing: Writing): void {
  const { demo } = writing;
  const adjust = (daysAgo: number, email: string, amount: number, reason: string) =>
    writing.at(daysAgo, 15, () => {
      const { accountId } = writing.person(email);
      const terms = { accountId, amount: points(amount), reason, ref: newId("request") };
      return adjustPoints(demo, writing.secondOperator, terms);
    });
  adjust(41, "priya@atlas-learning.example", 250, "Outage on the evening of the exam week");
  adjust(29, "yuki@kitsune-games.example", -40, "Voucher redeemed twice by mistake");
  adjust(16, "daniel@harborware.example", 300, "Slow answers during the incident");
  const refund = (daysAgo: number, email: string, reason: string) =>
    writing.at(daysAgo, 16, async () => {
      await writing.writeRequests();
      const { accountId } = writing.person(email);
      const { rows } = await demo.pool.query<{ id: string }>(lastVideo, [accountId]);
      const operationId = rows[0]?.id;
      if (operationId === undefined) return;
      const terms = { operationId, amount: null, reason, ref: newId("request") };
      await refundCharge(demo, writing.secondOperator, terms);
    });
  refund(38, CUSTOMER, "The video showed the wrong aspect ratio");
  refund(10, CUSTOMER, "Flickering frames, confirmed by the upstream");
  refund(4, "chen.wei@qinghe-media.example", "Watermark although none was ordered");
}

export function addMoney(writing: Writing): void {
  const { demo } = writing;
  addPackages(writing);
  addTopUps(writing);
  addVouchers(writing);
  addCorrections(writing);
  addSpecialPayments(writing);
  writing.at(13, 10, async () => {
    const { rows } = await demo.pool.query<{ id: string }>(
      "select id from payment where attention is not null order by id",
    );
    for (const { id } of rows) await attendPayment(demo, writing.operator, { id });
  });
  writing.at(40, 11, () => {
    const { accountId, userId } = writing.person(CUSTOMER);
    const address = "Rua do Exemplo 12, 1200-001 Lisboa, Portugal";
    const buyer = { accountId, name: "Lumen Films Lda.", address, taxNumber: "PT 500 000 000" };
    return setBilling(demo, userId, buyer);
  });
}
