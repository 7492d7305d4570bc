/** Who must have a second factor. */
import type { Settings } from "../../settings/settings";

/** An installation that others reach: its address is https, and not of this machine. */
function isPublic(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const isLoopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" && !isLoopback;
}

type Rules = Pick<Settings, "RELAY_SECOND_FACTOR" | "publicUrl">;

export function mustHaveFactor(
  { RELAY_SECOND_FACTOR: rule, publicUrl }: Rules,
  { isOperator }: { readonly isOperator: boolean },
): boolean {
  if (rule === "everyone") return true;
  if (rule === "nobody") return false;
  return isOperator && (rule === "operators" || isPublic(publicUrl));
}
