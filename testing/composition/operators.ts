/** Operators of a served composition, their keys, and what they do on the pages. */
import { createAccount } from "@/lib/accounts/create-account";
import { sessionOf, type UserSession } from "@/lib/accounts/session-store";
import { createOperatorKey } from "@/lib/commands/operator-keys";
import type { PageName } from "@/lib/contract/page-endpoints";
import { type OperatorScope, operatorScopes } from "@/lib/contract/states";
import { pageHandlers } from "@/lib/pages-api/page-handlers";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { pagesHostOf } from "../pages-api/pages-host";
import type { ServedComposition } from "./served-composition";

type Composed = Pick<ServedComposition, "database" | "tool">;

export async function newOperator(
  { database, tool }: Composed,
  email = "op@example.com",
): Promise<UserSession> {
  const { userId } = await createAccount(database, tool, {
    email,
    isOperator: true,
  });
  return sessionOf(await database.user.findUniqueOrThrow({ where: { id: userId } }));
}

export async function newOperatorKey(
  { database }: Pick<Composed, "database">,
  { userId }: Pick<UserSession, "userId">,
  scopes: readonly OperatorScope[] = operatorScopes,
): Promise<{ id: string; secret: string }> {
  const wanted = { userId, name: "billing", scopes };
  const { key, secret } = await createOperatorKey({ database }, "test", wanted);
  return { id: key.id, secret };
}

/** Revokes all operator keys, and makes one. */
export async function onlyOperatorKey(composed: Composed, operator: UserSession) {
  await composed.database.operatorKey.updateMany({ data: { revokedAt: new Date() } });
  return newOperatorKey(composed, operator);
}

/** Sends a request to a row of the pages' API as `operator`, with a recent proof. */
export async function askPage(operator: UserSession, name: PageName, id: string, body: object) {
  const host = pagesHostOf({
    deps: pagesDeps,
    currentUser: async () => operator,
    isOperator: () => true,
    report: (_, __, error) => console.error(error),
  });
  const request = new Request("http://localhost:3000/api/admin", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await pageHandlers(host)[name](request, id)).status;
}
