import { useMe } from "@/lib/client/account";
import { useMay } from "@/lib/client/shown-account";
import type { ApiKeyView } from "@/lib/contract/api-keys";

/** Members change the keys that they made; some roles, every key. */
export function useMayChange({ maker }: Pick<ApiKeyView, "maker">): boolean {
  const { data: me } = useMe();
  const [all, own] = [useMay("changeEveryKey"), useMay("makeKeys")];
  return all || (own && me !== undefined && maker?.id === me.user.id);
}
