/** An instance that sends mail and takes payments, with stand-ins for both neighbours. */

import { STRIPE_EVENTS_PATH } from "@/lib/contract/page-paths";
import { type MailCatcher, startMailCatcher } from "@/testing/accounts/mail-catcher";
import { startTestStripe } from "@/testing/topup/stripe";
import { type Served, serveInstance } from "./serve-product";

export interface Neighbours {
  readonly served: Served;
  readonly mail: MailCatcher;
  readonly payments: Awaited<ReturnType<typeof startTestStripe>>;
}

/** Opens it, and closes all three after `use`. */
export async function withNeighbours(use: (opened: Neighbours) => Promise<void>): Promise<void> {
  const mail = await startMailCatcher();
  const payments = await startTestStripe();
  const { secretKey, webhookSecret, apiBase } = payments.stripe;
  const served = await serveInstance("neighbours", {
    SMTP_URL: mail.url,
    RELAY_SUPPORT_CONTACT: "help@example.com",
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: apiBase,
  });
  payments.state.webhookUrl = `${served.address}${STRIPE_EVENTS_PATH}`;
  await use({ served, mail, payments });
  await served.stop();
  await payments.close();
  mail.close();
}
