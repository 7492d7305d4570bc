import type { BlockList } from "node:net";
import { isTrustedProxy, parseTrustedProxies } from "../net/client-address";
import type { Settings } from "../settings";

let parsed: { readonly text: string; readonly networks: BlockList | null } | null = null;

/** Whether operators may sign in and work from the address: from any where no networks are set. */
export function mayOperateFrom({ RELAY_OPERATOR_ADDRESSES: text }: Settings, address: string | undefined): boolean {
  if (text === undefined) return true;
  if (parsed?.text !== text) parsed = { text, networks: parseTrustedProxies(text) };
  return isTrustedProxy(parsed.networks, address ?? "");
}
