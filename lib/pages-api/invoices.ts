/** Billing details, invoices and receipts of the user's own account; and what operators see of them. */
import type { Locale } from "@/messages/locales";
import type { UserSession } from "../accounts/session-store";
import { makeDueInvoices, makeInvoice, setBilling } from "../commands/invoices";
import type { invoiceEndpoints, invoiceProgramRows } from "../contract/invoices";
import type {
  operatorInvoiceEndpoints,
  operatorInvoiceProgramRows,
} from "../contract/operator-invoices";
import { RelayError } from "../failures/relay-error";
import { renderInvoice } from "../invoices/render-invoice";
import { renderReceipt } from "../invoices/render-receipt";
import { invoiceFiguresOf } from "../queries/invoice-figures";
import { findReceipt, listInvoices, type ShownInvoice, showInvoice } from "../queries/invoices";
import { listAllInvoices } from "../queries/operator-invoices";
import type { PagesDeps } from "./pages-deps";
import type { ProgramDeps, UseCases } from "./use-case";

/** A PDF takes about a tenth of a second of processor time, so it counts as several changes. */
const PDF_COST = 6;

function countPdf({ pageLimiter }: PagesDeps, { userId }: UserSession): void {
  pageLimiter.take("user", userId, "write", PDF_COST);
}

const fileOf = async (invoice: ShownInvoice, locale: Locale) => ({
  name: `invoice-${invoice.number}.pdf`,
  bytes: await renderInvoice(invoice, locale),
});

export const invoiceProgramUseCases: UseCases<typeof invoiceProgramRows, ProgramDeps> = {
  listInvoices: ({ deps, user }) => listInvoices(deps, user),
  async makeInvoice({ deps, body: { month }, user: { accountId, userId } }) {
    const wanted = { accountId, month, figuresOf: invoiceFiguresOf };
    const id = await makeInvoice(deps, userId, wanted);
    return { invoice: await showInvoice(deps, { accountId, id }) };
  },
  async setBilling({ deps, body, user: { accountId, userId } }) {
    await setBilling(deps, userId, { ...body, accountId });
    return { billing: body };
  },
};

export const invoiceUseCases: UseCases<typeof invoiceEndpoints> = {
  ...invoiceProgramUseCases,
  async downloadInvoice({ deps, id, locale, user }) {
    countPdf(deps, user);
    const { accountId } = user;
    return fileOf(await showInvoice(deps, { accountId, id }), locale);
  },
  async downloadReceipt({ deps, id, locale, user }) {
    countPdf(deps, user);
    const { accountId } = user;
    const receipt = await findReceipt(deps, { accountId, id });
    if (receipt === null) throw new RelayError("not_found");
    const bytes = await renderReceipt(receipt, locale);
    return { name: `receipt-${receipt.payment.number}.pdf`, bytes };
  },
};

export const operatorInvoiceProgramUseCases: UseCases<
  typeof operatorInvoiceProgramRows,
  ProgramDeps
> = {
  listAllInvoices: ({ deps, query }) => listAllInvoices(deps, query),
  listAccountInvoices: ({ deps, id }) => listInvoices(deps, { accountId: id }),
  async makeDueInvoices({ deps, user: { userId: actor } }) {
    return { made: await makeDueInvoices(deps, { figuresOf: invoiceFiguresOf, actor }) };
  },
};

export const operatorInvoiceUseCases: UseCases<typeof operatorInvoiceEndpoints> = {
  ...operatorInvoiceProgramUseCases,
  async downloadAnyInvoice({ deps, id, locale, user }) {
    countPdf(deps, user);
    return fileOf(await showInvoice(deps, { accountId: null, id }), locale);
  },
};
