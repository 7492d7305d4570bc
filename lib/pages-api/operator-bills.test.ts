/** Upstream bills by the pages' API: compared, shown with causes and amounts, given as CSV, bounded. */
import { expect, test } from "vitest";
import { connect } from "@/testing/ledger/test-ledger";
import { openOperatorClient } from "@/testing/pages-api/operator-client";
import { opened } from "@/testing/unit/opened";
import {
  BILL_UPLOAD_CHARACTERS_MAX,
  type ShownUpstreamBill,
  type UpstreamBillView,
} from "../contract/operator-bills";

const CHANNEL = "ch_billed";
const own = await opened(openOperatorClient());
const owner = await connect(own.site.databaseUrl);
await owner.query(
  "insert into channel (id, name, protocol, base_url, models) values ($1, 'billed', 'openai', 'https://a.example', '{}')",
  [CHANNEL],
);
await owner.end();

const rates = {
  channelId: CHANNEL,
  model: "upstream-name",
  currency: "USD",
  rates: [
    { unit: "input_token", points: "2" },
    { unit: "output_token", points: "8.5" },
  ],
  effectiveAt: null,
};
const bill = (text: string) => ({
  channelId: CHANNEL,
  name: "november.csv",
  text,
  currency: "USD",
});
const head = "id,time,model,input_tokens,output_tokens,cost";

test("rates are noted by a person and listed as amounts", async () => {
  expect((await own.call("setUpstreamRates", { body: rates })).status).toBe(200);
  const { json } = await own.call("listUpstreamRates", { query: `?channelId=${CHANNEL}` });
  expect(json).toMatchObject({
    rates: [
      {
        model: "upstream-name",
        currency: "USD",
        notedBy: own.operator.userId,
        rates: [
          { unit: "input_token", points: "2.000000" },
          { unit: "output_token", points: "8.500000" },
        ],
      },
    ],
  });
});

test("a bill with calls that nobody made names each, with its amount, also as CSV", async () => {
  const at = new Date().toISOString();
  const lines = [1, 2].map((n) => `call-${n},${at},upstream-name,1000,10,0.0${n}`);
  const { status, json } = await own.call("reconcileUpstreamBill", {
    body: bill([head, ...lines].join("\n")),
  });
  const shown: ShownUpstreamBill = json;
  expect(status).toBe(200);
  expect(shown).toMatchObject({
    bill: { channel: "billed", lines: 2, agreed: 0, billed: "0.030000", difference: "0.030000" },
    causes: [{ cause: "unknown_call", count: 2, amount: "0.030000" }],
    differences: [
      { cause: "unknown_call", ref: "call-2", amount: "0.020000" },
      { cause: "unknown_call", ref: "call-1", amount: "0.010000" },
    ],
  });
  const { id } = shown.bill;
  expect((await own.call("showUpstreamBill", { id, query: "?cause=rounding" })).json).toMatchObject(
    { differences: [] },
  );
  const csv = await own.call("downloadUpstreamBill", { id });
  expect(csv.text.split("\r\n").slice(0, 2)).toEqual([
    "cause,ref,at,model,amount,billed,owed",
    expect.stringMatching(/^unknown_call,call-2,.*,upstream-name,0\.020000,/),
  ]);
  const listed: { bills: UpstreamBillView[] } = (await own.call("listUpstreamBills")).json;
  expect(listed.bills.map((each) => each.id)).toEqual([id]);
});

test("what is no bill, has no channel, or is too long is refused by its field", async () => {
  const codeOf = async (body: object) => {
    const { status, json } = await own.call("reconcileUpstreamBill", { body });
    const { error }: { error?: { param?: string } } = json ?? {};
    return [status, error?.param ?? null];
  };
  expect(await codeOf({ ...bill(head), currency: "usd" })).toEqual([400, "currency"]);
  expect((await codeOf({ ...bill("no table"), format: "csv" }))[0]).toBe(400);
  expect((await codeOf({ ...bill(head), channelId: "ch_none" }))[0]).toBe(404);
  expect(await codeOf(bill("x".repeat(BILL_UPLOAD_CHARACTERS_MAX + 1)))).toEqual([400, "text"]);
  expect((await codeOf(bill("x".repeat(4 * BILL_UPLOAD_CHARACTERS_MAX))))[0]).toBe(413);
  expect((await own.call("showUpstreamBill", { id: "bill_none" })).status).toBe(404);
});
