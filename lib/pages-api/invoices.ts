/** Billing details and invoices of the user's own account. */
import { makeInvoice, setBilling } from "../commands/invoices";
import type { invoiceEndpoints } from "../contract/invoices";
import { renderInvoice } from "../invoices/render-invoice";
import { invoiceFiguresOf } from "../queries/invoice-figures";
import { findBilling, listInvoices, showInvoice } from "../queries/invoices";
import type { UseCases } from "./use-case";

export const invoiceUseCases: UseCases<typeof invoiceEndpoints> = {
  listInvoices: ({ deps, user }) => listInvoices(deps, user),
  async makeInvoice({ deps, body: { month }, user: { accountId, userId } }) {
    const wanted = { accountId, month, figuresOf: invoiceFiguresOf };
    const id = await makeInvoice(deps, userId, wanted);
    return { invoice: await showInvoice(deps, { accountId, id }) };
  },
  async downloadInvoice({ deps, id, locale, user: { accountId } }) {
    const invoice = await showInvoice(deps, { accountId, id });
    return {
      name: `invoice-${invoice.number}.pdf`,
      bytes: await renderInvoice(invoice, locale),
    };
  },
  async setBilling({ deps, body, user: { accountId, userId } }) {
    await setBilling(deps, userId, { ...body, accountId });
    return { billing: await findBilling(deps, accountId) };
  },
};
