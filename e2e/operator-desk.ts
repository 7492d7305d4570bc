import type { Page } from "@playwright/test";
import { words } from "@/testing/cli/words";
import { beginSession, newEmail, password, relayCommand } from "./product";

/** Creates an operator on the command line, signs in and opens `path`. */
export async function signInAsOperator(page: Page, path = "/admin"): Promise<string> {
  const email = newEmail();
  await relayCommand("account", "create", "--email", email, "--password", password, "--operator");
  await beginSession(page, email);
  await page.goto(path);
  return email;
}

export async function signInTo(page: Page, email: string, path: string): Promise<void> {
  await beginSession(page, email);
  await page.goto(path);
}

/** An account created on the command line, with a key. */
export async function newCustomer(
  email = newEmail(),
): Promise<{ email: string; accountId: string; key: string }> {
  const { account } = (await relayCommand(
    ...words`account create --email ${email} --password ${password} --points 1000`,
  )) as {
    account: { id: string };
  };
  const { secret } = (await relayCommand(
    ...words`key create --email ${email} --name production`,
  )) as { secret: string };
  return { email, accountId: account.id, key: secret };
}
