/** Serves a demo: the product on the demo's folder, with an upstream and card payments beside it. */
import pg from "pg";
import { openServer } from "@/lib/db/open";
import { settingsSchema } from "@/lib/settings/settings";
import { startProduct } from "@/testing/stage/product";
import { startTestStripe } from "@/testing/topup/stripe";
import type { TestSession } from "@/testing/topup/test-session";
import type { DemoFacts } from "./folder";
import { demoSettings } from "./open-demo";
import { CUSTOMER, DEMO_PASSWORD, OPERATOR } from "./people";
import { startDemoUpstream } from "./upstream";

interface OpenSession {
  readonly id: string;
  readonly session: string;
  readonly amount: number;
  readonly currency: string;
}

/** The unpaid payments. The demo's payment provider has to know them. */
async function openSessions(folder: string): Promise<OpenSession[]> {
  const server = await openServer(demoSettings(folder));
  try {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client
      .query<OpenSession>(
        `select id, session_id as session, amount::int, currency from payment
          where status in ('created', 'pending') and session_id is not null`,
      )
      .finally(() => client.end());
    return rows;
  } finally {
    await server.close();
  }
}

async function startPayments(folder: string, { paymentsPort }: DemoFacts) {
  const sessions = await openSessions(folder);
  const payments = await startTestStripe(paymentsPort);
  for (const { id, session, amount, currency } of sessions) {
    const open: TestSession = {
      object: "checkout.session",
      id: session,
      client_reference_id: id,
      status: "open",
      payment_status: "unpaid",
      mode: "payment",
      customer: null,
      amount_total: amount,
      currency,
      payment_intent: null,
      url: `${payments.stripe.apiBase}/pay/${session}`,
      success_url: "/",
    };
    payments.sessions.set(session, open);
  }
  return payments;
}

/**
 * Every setting is given, if only as unset: the server reads `.env` too, which may name the database
 * of customers.
 */
const unset = Object.fromEntries(Object.keys(settingsSchema.shape).map((name) => [name, ""]));

const signIn = (origin: string, folder: string) => `
The demo is at ${origin}
  as a customer:  ${CUSTOMER}
  as an operator: ${OPERATOR}
  password:       ${DEMO_PASSWORD}
Its ledger: RELAY_DATA_DIR=${folder} npm run --silent relay -- ledger audit
`;

/** Resolves with the product's exit code, after it was stopped. */
export async function serveDemo(
  folder: string,
  facts: DemoFacts,
  port: number,
  projectFolder: string,
): Promise<number> {
  const payments = await startPayments(folder, facts);
  const upstream = await startDemoUpstream(facts.upstreamPort);
  const { secretKey, webhookSecret, apiBase } = payments.stripe;
  const product = startProduct({
    checkout: projectFolder,
    settings: {
      ...unset,
      RELAY_DATA_DIR: folder,
      PORT: String(port),
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: apiBase,
    },
  });
  product.process.stdout?.pipe(process.stdout);
  product.process.stderr?.pipe(process.stderr);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => product.process.kill(signal));
  const told = product.address.then((origin) => {
    payments.state.webhookUrl = `${origin}/api/payments/stripe`;
    process.stdout.write(signIn(origin, folder));
  });
  // If it ends before it serves, its own output says why.
  told.catch(() => {});
  const code = (await product.exitCode) ?? 1;
  await Promise.all([upstream.close(), payments.close()]);
  return code;
}
