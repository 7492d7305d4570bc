import { writeFile } from "node:fs/promises";
import { renderInvoice } from "@/lib/invoices/render-invoice";
import { findBilling, showInvoice } from "@/lib/queries/invoices";
import { type PoolCommand, UsageError } from "./command";
import { table } from "./table";

const show: PoolCommand = {
  usage: "--invoice I",
  async runOnPool(pool, flags) {
    const invoice = await showInvoice({ pool }, { accountId: null, id: flags.text("invoice") });
    return { json: { invoice }, text: JSON.stringify(invoice, null, 2) };
  },
};

const pdf: PoolCommand = {
  usage: "--invoice I --out FILE [--language en|zh-CN]",
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
  async runOnPool(pool, flags) {
    const billing = await findBilling({ pool }, flags.text("account"));
    const rows = billing === null ? [] : [{ ...billing }];
    return { json: { billing }, text: table(rows) };
  },
};

/** The others are made from rows. */
export const invoiceCommands = { show, pdf };
export const billingCommands = { show: showBilling };
