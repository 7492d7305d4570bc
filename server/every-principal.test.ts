/** Every row as every principal: the pages' by sessions, those of `/v1` by each kind of key and by none. */
import { beforeAll, expect, test } from "vitest";
import { sessionOf } from "@/lib/accounts/session-store";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { endpoints } from "@/lib/contract/endpoints";
import { accountApiRows, operatorApiRows } from "@/lib/contract/key-rows";
import type { PageEndpoint } from "@/lib/contract/page-endpoint";
import { type PageName, pageEndpoints } from "@/lib/contract/page-endpoints";
import { pageHandlers } from "@/lib/pages-api/page-handlers";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { askRow, newManager } from "@/testing/composition/managers";
import { newOperator, newOperatorKey } from "@/testing/composition/operators";
import { serveComposition } from "@/testing/composition/served-composition";
import { pagesHostOf } from "@/testing/pages-api/pages-host";
import { opened } from "@/testing/unit/opened";

const composed = await opened(serveComposition());
const operator = await newOperator(composed);
const where = { accountId: composed.accountId };
const person = sessionOf(await composed.database.user.findFirstOrThrow({ where }));
beforeAll(async () => {
  await composed.database.apiKey.updateMany({ data: { requestsPerMinute: 10_000 } });
});

const keyKinds = ["apiKey", "managementKey", "operatorKey"] as const;
type Kind = (typeof keyKinds)[number] | "none";

/** As many requests as a management key may send in a minute, and fewer. */
const REQUESTS_OF_A_KEY = 50;
let sent = 0;
let manager = "";

async function keyOf(kind: Kind, operatorKey: string): Promise<string | null> {
  if (kind === "none") return null;
  if (kind === "apiKey") return composed.key.secret;
  if (kind === "operatorKey") return operatorKey;
  if (sent++ % REQUESTS_OF_A_KEY === 0)
    manager = (await newManager(composed, composed.accountId)).secret;
  return manager;
}

/** Empty for an answer that is no refusal of ours, such as one in another API's form. */
const codeIn = (text: string): string =>
  text.startsWith('{"error"') ? JSON.parse(text).error.code : "";

/** What a key of this kind must hear; null where it is let in. */
function refusalOf(row: EndpointRow, kind: Kind): string | null {
  if (row.admits.includes("anyone")) return null;
  if (kind === "none") return "missing_api_key";
  return row.admits.includes(kind) ? null : "key_kind_not_allowed";
}
const refusals = ["missing_api_key", "invalid_api_key", "key_kind_not_allowed", "scope_missing"];

test("a row of /v1 admits the kinds of key that it names, and refuses the others and none", async () => {
  const rows: EndpointRow[] = [...Object.values(endpoints), ...accountApiRows, ...operatorApiRows];
  const { secret } = await newOperatorKey(composed, operator);
  const faults: string[] = [];
  const asked = async (row: EndpointRow, kind: Kind) => {
    const { code, status } = await askRow(composed, row, await keyOf(kind, secret));
    const wanted = refusalOf(row, kind);
    // Without a code: an answer that is no refusal of ours, such as one in another API's form.
    const isRefused = code === null ? [401, 403].includes(status) : refusals.includes(code);
    const isRight = wanted === null ? !isRefused : isRefused && (code ?? wanted) === wanted;
    if (!isRight || status === 500 || status === 429)
      faults.push(`${row.name} with ${kind}: ${status} ${code}`);
  };
  for (const row of rows)
    await Promise.all(([...keyKinds, "none"] as const).map((kind) => asked(row, kind)));
  expect(faults).toEqual([]);
  expect(rows.length).toBeGreaterThan(140);
  const made = composed.database.$queryRaw`select count(*)::int as n from request_known`;
  expect(await made).toEqual([{ n: 0 }]);
});

/** Rows that are not there without a payment provider. */
const payments: readonly PageName[] = [
  "startPayment",
  "buyPlan",
  "payPlanByCard",
  "checkPayment",
  "continuePayment",
  "cancelPayment",
  "setAutoTopup",
  "saveCard",
  "checkCard",
  "confirmCard",
];

/** The refusal that a visitor, a person and an operator must hear; null where they are let in. */
const refusedOnPages = ({ who }: PageEndpoint) =>
  ({
    anyone: [null, null, null],
    user: ["sign_in_required", null, null],
    operator: ["route_not_found", "route_not_found", null],
  })[who];

test("a row of the pages admits visitors, people and operators as it says", async () => {
  const faults: string[] = [];
  for (const name of Object.keys(pageEndpoints) as PageName[]) {
    // It would end the sessions of those who ask on; `roles.spec.ts` asks it.
    if (name === "signOutEverywhere") continue;
    const row: PageEndpoint = pageEndpoints[name];
    for (const [at, user] of [null, person, operator].entries()) {
      const host = pagesHostOf({
        deps: pagesDeps,
        currentUser: async () => user,
        hasRecentProof: async () => false,
      });
      const { method } = row;
      const request = new Request("http://localhost:3000/api", {
        method,
        headers: { "content-type": "application/json" },
        ...(method !== "GET" && { body: "{}" }),
      });
      const answer = await pageHandlers(host)[name](request, "none");
      const code = codeIn(await answer.text());
      const wanted = refusedOnPages(row)[at];
      const isAbsent = payments.includes(name) && code === "route_not_found";
      const isRefused = ["sign_in_required", "route_not_found", "role_not_allowed"].includes(code);
      const isRight = wanted == null ? isAbsent || !isRefused : code === wanted;
      if (!isRight || answer.status === 500) faults.push(`${name} as ${at}: ${code}`);
    }
  }
  expect(faults).toEqual([]);
});
