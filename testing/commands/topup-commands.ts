/** The commands about saved cards, automatic top-ups and invoices, each with the state it needs. */
import { setAutoTopup, stopAutoTopup } from "@/lib/commands/auto-topup";
import { makeInvoice, setBilling } from "@/lib/commands/invoices";
import { createPackage } from "@/lib/commands/packages";
import { removeCard } from "@/lib/commands/saved-card";
import { lastMonth } from "@/lib/invoices/due-months";
import { invoiceFiguresOf } from "@/lib/queries/invoice-figures";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import { actor, type BrokenOffCommand, commandOn, newUser, nextNumber, prepared } from "./seed";

export async function saveTestCard({ deps }: SiteProcess, accountId: string): Promise<void> {
  const number = nextNumber();
  await deps.pool.query(
    "insert into auto_topup (account_id, customer_id, card_id, card_brand, card_last4, card_expires) values ($1, $2, $3, 'visa', '4242', '2031-07')",
    [accountId, `cus_${number}`, `pm_${number}`],
  );
}

/** An account with a saved card, and terms for it. */
async function newCard(site: SiteProcess) {
  const { accountId } = await newUser(site);
  const number = nextNumber();
  await saveTestCard(site, accountId);
  const { id: packageId } = await createPackage(site.deps, actor, {
    name: `Package ${number}`,
    points: 100_000_000n,
    amount: 999,
    currency: "eur",
    note: null,
    isEnabled: true,
    position: 0,
  });
  return { accountId, packageId, threshold: 20_000_000n, monthMax: 5000 };
}

export const topupCommands: readonly BrokenOffCommand[] = [
  commandOn("auto_topup.set", newCard, (deps, terms) => setAutoTopup(deps, actor, terms)),
  prepared("auto_topup.off", async (site) => {
    const terms = await newCard(site);
    await setAutoTopup(site.deps, actor, terms);
    return (deps) => stopAutoTopup(deps, actor, terms);
  }),
  commandOn("card.remove", newCard, (deps, terms) => removeCard(deps, actor, terms)),
  prepared("billing.set", async (site) => {
    const { accountId } = await newUser(site);
    const details = { accountId, name: "Firm", address: "Street 1", taxNumber: "T1" };
    return (deps) => setBilling(deps, actor, details);
  }),
  prepared("invoice.make", async (site) => {
    const { accountId } = await newUser(site);
    await setBilling(site.deps, actor, { accountId, name: "Firm", address: "", taxNumber: "" });
    await site.deps.pool.query(
      "update account set created_at = now() - interval '70 days' where id = $1",
      [accountId],
    );
    const { rows } = await site.deps.pool.query<{ month: string }>(
      `select to_char(${lastMonth}, 'YYYY-MM') as month`,
    );
    const wanted = { accountId, month: rows[0]?.month ?? "", figuresOf: invoiceFiguresOf };
    return (deps) => makeInvoice(deps, actor, wanted);
  }),
];
