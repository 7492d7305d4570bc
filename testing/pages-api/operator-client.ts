/** The operators' routes on a database of their own, called as by a browser. */

import { sessionOf, type UserSession } from "@/lib/accounts/session-store";
import { type PageName, pageEndpoints } from "@/lib/contract/page-endpoints";
import type { HoldRequest } from "@/lib/ledger/core/verbs";
import { createLedger, type OpenLedger } from "@/lib/ledger/ledger";
import { pageHandlers } from "@/lib/pages-api/page-handlers";
import { connect, holdOf, newSpoolFolder, seedPrice, settleOf } from "@/testing/ledger/test-ledger";
import { newUserOf } from "@/testing/pages-api/new-user";
import { type SiteProcess, startSiteProcess } from "@/testing/pages-api/site-process";
import { pagesHostOf } from "./pages-host";

interface PageCallInput {
  readonly id?: string | undefined;
  readonly body?: unknown;
  readonly query?: string;
}

interface OperatorClient {
  readonly site: SiteProcess;
  readonly ledger: OpenLedger;
  readonly operator: UserSession;
  newUser(name: string): Promise<UserSession>;
  /** Calls one row as the operator. */
  call(
    name: PageName,
    input?: PageCallInput,
  ): Promise<{ status: number; text: string; json: never }>;
  /** Makes a request of the account and settles it, unless `amount` is null. */
  charge(
    accountId: string,
    amount: bigint | null,
    changes?: Partial<HoldRequest>,
  ): Promise<HoldRequest>;
  close(): Promise<void>;
}

export async function openOperatorClient(): Promise<OperatorClient> {
  const site = await startSiteProcess();
  const ledger = await createLedger({
    databaseUrl: site.databaseUrl,
    spoolFolder: newSpoolFolder(),
  });
  const deps = { ...site.deps, ledger };
  const newUser = async (name: string) => {
    const { userId } = await newUserOf(deps, `${name}@example.com`, "192.0.2.1");
    return sessionOf(await deps.database.user.findUniqueOrThrow({ where: { id: userId } }));
  };
  const operator = { ...(await newUser("operator")), isOperator: true };
  await deps.database.user.update({ where: { id: operator.userId }, data: { isOperator: true } });
  const host = pagesHostOf({
    deps: () => deps,
    currentUser: async () => operator,
    report: (_, __, error) => console.error(error),
  });
  const routes = pageHandlers(host);
  const client = await connect(site.databaseUrl);
  const priceVersionId = await seedPrice(client).finally(() => client.end());
  return {
    site,
    ledger,
    operator,
    newUser,
    async call(name, { id, body, query = "" } = {}) {
      const request = new Request(`http://localhost:3000/api/admin/x${query}`, {
        method: pageEndpoints[name].method,
        headers: { "content-type": "application/json", origin: "http://localhost:3000" },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const response = await routes[name](request, id);
      const text = await response.text();
      return {
        status: response.status,
        text,
        json: (text.startsWith("{") ? JSON.parse(text) : null) as never,
      };
    },
    async charge(accountId, amount, changes = {}) {
      const hold = holdOf({ accountId, apiKeyId: "", priceVersionId }, amount ?? 10n, {
        apiKeyId: null,
        ...changes,
      });
      await ledger.openHold(hold);
      if (amount !== null) await ledger.settle(settleOf(hold, amount));
      return hold;
    },
    async close() {
      await ledger.close();
      await site.close();
    },
  };
}
