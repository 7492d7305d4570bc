import { isIdOf } from "@/lib/crypto/ids";
import { findUserByEmail } from "@/lib/queries/users";
import type { Flags } from "./command";
import type { OpenInstallation } from "./open";

/** How help shows the option that `accountNamed` reads. */
export const ACCOUNT = "--account A   (its id, or the address of a user whose own account it is)";

/** The account with an id, or the own one of the user with an address. */
export async function findAccount(
  installation: OpenInstallation,
  named: string,
): Promise<{ readonly id: string }> {
  if (isIdOf("account", named)) return { id: named };
  return { id: (await findUserByEmail(installation, named)).accountId };
}

export async function accountNamed(installation: OpenInstallation, flags: Flags): Promise<string> {
  return (await findAccount(installation, flags.text("account"))).id;
}

/** The user with an id or an address. */
export async function findMember(
  installation: OpenInstallation,
  named: string,
): Promise<{ readonly id: string }> {
  return isIdOf("user", named) ? { id: named } : findUserByEmail(installation, named);
}
