/** New users for tests that are not about signing up. */
import { type CreatedAccount, createAccount } from "@/lib/accounts/create-account";
import { hashPassword } from "@/lib/accounts/password";
import type { AccountDeps } from "@/lib/accounts/sign-up";
import { welcomeRules } from "@/lib/accounts/welcome";

/** Of every one of them. */
const PASSWORD = "correct horse battery";
/** Computed once in a process: it takes as long as the rest of a sign-up. */
let hash: Promise<string> | undefined;

/** A user as after a sign-up from `address`, which counts for the points of welcome. */
export async function newUserOf(
  { database, ledger, settings }: Pick<AccountDeps, "database" | "ledger" | "settings">,
  email: string,
  address: string,
): Promise<CreatedAccount> {
  hash ??= hashPassword(PASSWORD);
  const rules = welcomeRules(settings);
  return createAccount(database, ledger, {
    email,
    passwordHash: await hash,
    welcomePoints: rules.points,
    welcome: { rules, address },
  });
}
