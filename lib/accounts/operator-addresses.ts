import type { BlockList } from "node:net";
import type { Database } from "../db/client";
import { isTrustedProxy, parseTrustedProxies } from "../net/client-address";
import type { Settings } from "../settings/settings";

let parsed: { readonly text: string; readonly networks: BlockList | null } | null = null;

/**
 * Whether operators may sign in and work from the address. Any address is allowed when no networks
 * are set.
 */
export function mayOperateFrom(
  { RELAY_OPERATOR_ADDRESSES: text }: Settings,
  address: string | undefined,
): boolean {
  if (text === undefined) return true;
  if (parsed?.text !== text) parsed = { text, networks: parseTrustedProxies(text) };
  return isTrustedProxy(parsed.networks, address ?? "");
}

/** Refuses an operator's sign-in from outside the operators' networks, for every way to sign in. */
export async function maySignInFrom(
  { database, settings }: { readonly database: Database; readonly settings: Settings },
  userId: string,
  address: string | undefined,
): Promise<boolean> {
  if (mayOperateFrom(settings, address)) return true;
  return (await database.user.findUnique({ where: { id: userId } }))?.isOperator !== true;
}
