/** Browser tests on an instance of their own that takes payments by a stand-in for the provider. */
import type { Page } from "@playwright/test";
import pg from "pg";
import { STRIPE_EVENTS_PATH } from "@/lib/contract/page-paths";
import { startTestStripe } from "@/testing/topup/stripe";
import { ownInstance } from "./own-instance";
import { password } from "./product";
import { serveInstance } from "./serve-product";

/** Answers the question for the password where it is asked. */
export async function prove(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog").filter({ has: page.getByLabel("Password") });
  await dialog.waitFor({ timeout: 2500 }).catch(() => {});
  if (!(await dialog.isVisible())) return;
  await dialog.getByLabel("Password").fill(password);
  await dialog.getByRole("button").last().click();
}

/** The tests' instance, its command line and its database. */
export function payingInstance(name: string) {
  const { test, relay, served } = ownInstance(async () => {
    const fake = await startTestStripe();
    const instance = await serveInstance(name, {
      STRIPE_SECRET_KEY: fake.stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: fake.stripe.webhookSecret,
      STRIPE_API_BASE: fake.stripe.apiBase,
    });
    fake.state.webhookUrl = `${instance.address}${STRIPE_EVENTS_PATH}`;
    return { ...instance, stop: () => instance.stop().then(fake.close) };
  });
  /** Rows that nobody could make in a test's time, such as those of months that are over. */
  async function insert(text: string, values: unknown[]): Promise<void> {
    const client = new pg.Client({ connectionString: served().variables.DATABASE_URL });
    await client.connect();
    await client.query(text, values).finally(() => client.end());
  }
  return { test, relay, insert };
}
