import { expect, test } from "vitest";
import { OwnPages, type PageRoute } from "@/testing/pages-api/own-pages";
import { opened } from "@/testing/unit/opened";
import { setLiveSetting } from "../commands/settings";
import { lastMonth } from "../invoices/due-months";
import { findReceipt } from "../queries/invoices";
import { listAllInvoices } from "../queries/operator-invoices";

const pages = await opened(OwnPages.open());

const details = { name: "Żółta 公司", address: "Große Straße 1", taxNumber: "DE 1" };
const monthToInvoice = async () => {
  const { rows } = await pages.site.deps.pool.query<{ month: string }>(
    `select to_char(${lastMonth}, 'YYYY-MM') as month`,
  );
  return rows[0]?.month ?? "";
};
const accountId = () => pages.user?.accountId ?? "";

const ask = (route: PageRoute, parts: { body?: unknown } = {}) =>
  pages.ask(route, parts, pages.routes);

/** Downloads a PDF as the user. */
async function pdf(route: "downloadInvoice" | "downloadReceipt", id: string, language = "en") {
  const request = new Request("http://localhost:3000/api/x", {
    headers: { "accept-language": language },
  });
  const response = await pages.routes[route](request, id);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function paidPayment(): Promise<string> {
  const id = `pay_${accountId()}`;
  await pages.site.deps.pool.query(
    `insert into payment (id, account_id, package_id, package_name, points, amount, currency, status, paid_at)
     values ($1, $2, 'pkg_a', 'Small', 100000000, 999, 'eur', 'paid', now())`,
    [id, accountId()],
  );
  return id;
}

test("a person saves details, makes the last month's invoice once and downloads it; nobody else sees any of it", async () => {
  await pages.signInNew();
  const month = await monthToInvoice();
  await pages.site.deps.pool.query(
    "update account set created_at = now() - interval '70 days' where id = $1",
    [accountId()],
  );
  expect(await ask("makeInvoice", { body: { month } })).toMatchObject({
    error: { code: "invalid_value", param: "name" },
  });
  expect(await ask("setBilling", { body: details })).toEqual({ billing: details });
  const { invoice } = await ask("makeInvoice", { body: { month } });
  expect(invoice).toMatchObject({ month, number: "1" });
  expect(await ask("makeInvoice", { body: { month } })).toEqual({ invoice });
  expect(await ask("listInvoices")).toMatchObject({ invoices: [invoice], billing: details });
  for (const language of ["en", "zh-CN"]) {
    const { response, bytes } = await pdf("downloadInvoice", invoice.id, language);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toContain("invoice-1.pdf");
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect((await pdf("downloadInvoice", invoice.id, language)).bytes).toEqual(bytes);
  }
  const receipt = await paidPayment();
  expect((await pdf("downloadReceipt", receipt)).bytes.subarray(0, 5).toString()).toBe("%PDF-");
  await pages.signInNew();
  for (const [route, id] of [
    ["downloadInvoice", invoice.id],
    ["downloadReceipt", receipt],
  ] as const)
    expect((await pdf(route, id)).response.status).toBe(404);
  expect(await ask("listInvoices")).toEqual({ invoices: [], months: [], billing: null });
});

test("details are one line each, of bounded length, without control characters", async () => {
  await pages.signInNew();
  for (const body of [
    { ...details, name: " " },
    { ...details, name: "x".repeat(201) },
    { ...details, address: "x".repeat(501) },
    { ...details, taxNumber: "x".repeat(61) },
    { ...details, address: "line\nline" },
    { ...details, name: "a\u202eb" },
    { ...details, more: "x" },
  ])
    expect(await ask("setBilling", { body })).toMatchObject({
      error: {
        code: expect.stringMatching(/^(invalid_value|unknown_parameter|missing_parameter)$/),
      },
    });
  for (const month of ["2026-13", "26-10", "2026-1", "1999-10"])
    expect(await ask("makeInvoice", { body: { month } })).toMatchObject({
      error: { code: "invalid_value", param: "month" },
    });
});

test("a user has twenty PDFs a minute", async () => {
  await pages.signInNew();
  const receipt = await paidPayment();
  const answers: number[] = [];
  for (let count = 0; count < 22; count++)
    answers.push((await pdf("downloadReceipt", receipt)).response.status);
  expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(answers.at(-1)).toBe(429);
});

test("a receipt names who sold and who bought when it was paid, and never changes", async () => {
  await pages.signInNew();
  const { deps } = pages.site;
  const seller = (value: string | null) =>
    setLiveSetting(deps, "cli", { name: "seller_name", value });
  await seller("First Seller");
  await ask("setBilling", { body: { ...details, name: "First Buyer" } });
  const id = await paidPayment();
  const own = { accountId: accountId(), id };
  const first = await findReceipt(deps, own);
  const { bytes } = await pdf("downloadReceipt", id);
  expect([first?.seller.name, first?.buyer?.name]).toEqual(["First Seller", "First Buyer"]);
  await seller("Second Seller");
  await ask("setBilling", { body: { ...details, name: "Second Buyer" } });
  expect(await findReceipt(deps, own)).toEqual(first);
  expect((await pdf("downloadReceipt", id)).bytes).toEqual(bytes);
  await deps.pool.query("update payment set refunded = 0, paid_at = paid_at where id = $1", [id]);
  expect(await findReceipt(deps, own)).toEqual(first);
  for (const change of ["update receipt_parties set buyer = null", "delete from receipt_parties"])
    await expect(deps.pool.query(change)).rejects.toThrow(/refused|denied/);
  await seller(null);
  await pages.signInNew();
  const early = { id: await paidPayment(), accountId: accountId() };
  expect(await findReceipt(deps, early)).toMatchObject({ buyer: null });
  for (const name of ["Named Once", "Another"])
    await ask("setBilling", { body: { ...details, name } });
  expect(await findReceipt(deps, early)).toMatchObject({ buyer: { name: "Named Once" } });
});

test("operators find every invoice by number, name, address and month, with the sums of the month", async () => {
  const list = (query: object) => listAllInvoices(pages.site.deps, query);
  const all = await list({});
  expect(all.invoices.length).toBeGreaterThan(0);
  const [one] = all.invoices;
  if (one === undefined) throw new Error("there is no invoice");
  expect(one).toMatchObject({ buyer: details.name, charges: "0.000000", sums: [] });
  expect(all.totals).toBeNull();
  expect(all.months).toEqual([one.month]);
  for (const q of [one.number, one.accountId, "Żółta", one.email?.slice(0, 9) ?? ""])
    expect([q, (await list({ q })).invoices.map(({ id }) => id)]).toEqual([q, [one.id]]);
  for (const q of ["%", "nobody", "0"]) expect((await list({ q })).invoices).toEqual([]);
  expect((await list({ cursor: one.number })).invoices).toEqual([]);
  const ofMonth = await list({ month: one.month });
  expect(ofMonth.totals).toEqual({ count: 1, charges: "0.000000", sums: [] });
  expect((await list({ month: "2020-01" })).totals?.count).toBe(0);
});
