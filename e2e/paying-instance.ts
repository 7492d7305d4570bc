/** Browser tests on an instance of their own that takes payments by a stand-in for the provider. */
import pg from "pg";
import { STRIPE_EVENTS_PATH } from "@/lib/contract/page-paths";
import { startTestStripe } from "@/testing/topup/stripe";
import { test as base, relayIn } from "./product";
import { type Served, serveInstance } from "./serve-product";

/** The tests' instance, its command line and its database. */
export function payingInstance(name: string) {
  let served: Served;
  const test = base.extend<object, { instance: Served }>({
    instance: [
      // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
      async ({}, use) => {
        const fake = await startTestStripe();
        const stripe = {
          STRIPE_SECRET_KEY: fake.stripe.secretKey,
          STRIPE_WEBHOOK_SECRET: fake.stripe.webhookSecret,
          STRIPE_API_BASE: fake.stripe.apiBase,
        };
        served = await serveInstance(name, stripe);
        fake.state.webhookUrl = `${served.address}${STRIPE_EVENTS_PATH}`;
        await use(served);
        await served.stop();
        await fake.close();
      },
      { scope: "worker", timeout: 120_000 },
    ],
    baseURL: async ({ instance }, use) => use(instance.address),
  });

  const relay = <T>(...words: string[]): Promise<T> => relayIn(served.variables, ...words);
  /** Rows that nobody could make in a test's time, such as those of months that are over. */
  async function insert(text: string, values: unknown[]): Promise<void> {
    const client = new pg.Client({ connectionString: served.variables.DATABASE_URL });
    await client.connect();
    await client.query(text, values).finally(() => client.end());
  }
  return { test, relay, insert };
}
