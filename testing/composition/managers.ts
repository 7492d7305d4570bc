/** Management keys of the accounts of a served composition, and requests with them. */
import { createAccount } from "@/lib/accounts/create-account";
import { createManagementKey } from "@/lib/commands/management-keys";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { type ManagementScope, managementScopes } from "@/lib/contract/states";
import type { ServedComposition } from "./served-composition";

export interface Manager {
  readonly id: string;
  readonly secret: string;
  readonly accountId: string;
}

export async function newManager(
  { database }: Pick<ServedComposition, "database">,
  accountId: string,
  scopes: readonly ManagementScope[] = managementScopes,
): Promise<Manager> {
  const wanted = { accountId, name: "deploy", scopes };
  const { key, secret } = await createManagementKey({ database }, "test", wanted);
  return { id: key.id, secret, accountId };
}

/** Another account, with a management key. */
export async function newStranger(composed: ServedComposition): Promise<Manager> {
  const { accountId } = await createAccount(composed.database, composed.tool, {
    email: "b@example.com",
  });
  return newManager(composed, accountId);
}

export interface ManagedAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any endpoint
  readonly json: any;
}

export async function askAt(
  { origin }: ServedComposition,
  secret: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<ManagedAnswer> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: await answer.json(), headers: answer.headers };
}

/** Sends a row with an id that nothing has and an empty body, so that nothing is changed. */
export async function askRow(
  { origin }: ServedComposition,
  { method, path, request }: EndpointRow,
  secret: string | null | undefined,
) {
  const answer = await fetch(`${origin}${path.replace(/\{\w+\}/, "none")}`, {
    method,
    headers: {
      ...(secret && { authorization: `Bearer ${secret}` }),
      "content-type": "application/json",
    },
    ...(request && { body: "{}" }),
  });
  const text = await answer.text();
  const code: string | null = text.startsWith('{"error"') ? JSON.parse(text).error.code : null;
  return { status: answer.status, code, text };
}

/** Status, code and field of a refusal. */
export const errorOf = ({ status, json }: ManagedAnswer) => [
  status,
  json.error?.code,
  json.error?.param,
];
