import { writeFile } from "node:fs/promises";
import { makeDueInvoices, makeInvoice, setBilling } from "@/lib/commands/invoices";
import { invoiceEndpoints } from "@/lib/contract/invoices";
import { operatorInvoiceEndpoints } from "@/lib/contract/operator-invoices";
import { renderInvoice } from "@/lib/invoices/render-invoice";
import { invoiceFiguresOf } from "@/lib/queries/invoice-figures";
import { findBilling, listInvoices, showInvoice } from "@/lib/queries/invoices";
import { listAllInvoices } from "@/lib/queries/operator-invoices";
import { actor, type PoolCommand, UsageError } from "./command";
import { table } from "./table";

const list: PoolCommand = {
  usage: "--account A",
  options: { account: "string" },
  async runOnPool(pool, flags) {
    const { invoices, months } = await listInvoices({ pool }, { accountId: flags.text("account") });
    const rows = invoices.map(({ id, number, month, createdAt }) => ({
      id,
      number: Number(number),
      month,
      created_at: createdAt,
    }));
    const open = months.length === 0 ? "" : `\nWithout an invoice: ${months.join(", ")}`;
    return { json: { invoices: rows, months }, text: `${table(rows)}${open}` };
  },
};

const find: PoolCommand = {
  usage:
    "[--search TEXT] [--month 2026-10] [--cursor N]   (of all accounts; TEXT: a number, an address, a name)",
  options: { search: "string", month: "string", cursor: "string" },
  async runOnPool(pool, flags) {
    const query = operatorInvoiceEndpoints.listAllInvoices.query.safeParse({
      q: flags.optional("search") ?? undefined,
      month: flags.optional("month") ?? undefined,
      cursor: flags.optional("cursor") ?? undefined,
    });
    if (!query.success) throw new UsageError(query.error.issues[0]?.message ?? "not valid");
    const { invoices, nextCursor, totals, due } = await listAllInvoices({ pool }, query.data);
    const rows = invoices.map(({ id, number, month, email, accountId, buyer, charges }) => ({
      id,
      number: Number(number),
      month,
      account: email ?? accountId,
      buyer,
      charges,
    }));
    const sums = totals === null ? "" : `\n${totals.count} invoices, ${totals.charges} points`;
    return {
      json: { invoices, next_cursor: nextCursor, totals, due },
      text: `${table(rows)}${sums}`,
    };
  },
};

const make: PoolCommand = {
  usage: "--account A --month 2026-10",
  options: { account: "string", month: "string" },
  async runOnPool(pool, flags) {
    const accountId = flags.text("account");
    const { data } = invoiceEndpoints.makeInvoice.body.safeParse({ month: flags.text("month") });
    if (data === undefined) throw new UsageError("--month must be a month, such as 2026-10");
    const id = await makeInvoice({ pool }, actor, {
      accountId,
      month: data.month,
      figuresOf: invoiceFiguresOf,
    });
    const { number } = await showInvoice({ pool }, { accountId, id });
    return { json: { id, number: Number(number) }, text: `Invoice ${number} (${id})` };
  },
};

const due: PoolCommand = {
  usage: "   (makes invoices of the last month that are due)",
  options: {},
  async runOnPool(pool) {
    const made = await makeDueInvoices({ pool }, { figuresOf: invoiceFiguresOf, actor });
    return { json: { made }, text: `${made} invoices were due.` };
  },
};

const show: PoolCommand = {
  usage: "--invoice I",
  options: { invoice: "string" },
  async runOnPool(pool, flags) {
    const invoice = await showInvoice({ pool }, { accountId: null, id: flags.text("invoice") });
    return { json: { invoice }, text: JSON.stringify(invoice, null, 2) };
  },
};

const pdf: PoolCommand = {
  usage: "--invoice I --out FILE [--language en|zh-CN]",
  options: { invoice: "string", out: "string", language: "string" },
  async runOnPool(pool, flags) {
    const language = flags.optional("language") ?? "en";
    if (language !== "en" && language !== "zh-CN")
      throw new UsageError("--language must be en or zh-CN");
    const file = flags.text("out");
    const invoice = await showInvoice({ pool }, { accountId: null, id: flags.text("invoice") });
    await writeFile(file, await renderInvoice(invoice, language));
    return { json: { file }, text: `Invoice ${invoice.number} is in ${file}.` };
  },
};

const showBilling: PoolCommand = {
  usage: "--account A",
  options: { account: "string" },
  async runOnPool(pool, flags) {
    const billing = await findBilling({ pool }, flags.text("account"));
    const rows = billing === null ? [] : [{ ...billing }];
    return { json: { billing }, text: table(rows) };
  },
};

const changeBilling: PoolCommand = {
  usage: "--account A --name N [--address T] [--tax-number T]",
  options: { account: "string", name: "string", address: "string", "tax-number": "string" },
  async runOnPool(pool, flags) {
    const accountId = flags.text("account");
    const { data, error } = invoiceEndpoints.setBilling.body.safeParse({
      name: flags.text("name"),
      address: flags.optional("address") ?? "",
      taxNumber: flags.optional("tax-number") ?? "",
    });
    if (data === undefined) throw new UsageError(error.issues[0]?.message ?? "not valid");
    await setBilling({ pool }, actor, { ...data, accountId });
    return { json: { billing: data }, text: `Invoices of ${accountId} name ${data.name}.` };
  },
};

export const invoiceCommands = { list, find, make, due, show, pdf };
export const billingCommands = { show: showBilling, set: changeBilling };
