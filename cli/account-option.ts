import { isIdOf } from "@/lib/crypto/ids";
import { findUserByEmail } from "@/lib/queries/users";
import type { Flags } from "./command";
import type { OpenInstallation } from "./open";

/** How help shows the option that `accountNamed` reads. */
export const ACCOUNT = "--account A   (its id, or the address of a user whose own account it is)";

export async function accountNamed(installation: OpenInstallation, flags: Flags): Promise<string> {
  const named = flags.text("account");
  if (isIdOf("account", named)) return named;
  return (await findUserByEmail(installation, named)).accountId;
}
