/**
 * A fake Stripe over HTTP: creates and returns Checkout Sessions, has a page that pays them, and
 * signs events as Stripe does.
 */
import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Stripe } from "@/lib/topup/stripe";
import { listen } from "../stage/listen";
import {
  type CardKind,
  type CardStore,
  cardKinds,
  createCardStore,
  serveCards,
} from "./stripe-cards";
import type { TestSession } from "./test-session";

const random = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`;

function openSession(form: URLSearchParams, origin: string): TestSession {
  const id = random("cs_test");
  return {
    object: "checkout.session",
    id,
    client_reference_id: form.get("client_reference_id") as string,
    status: "open",
    payment_status: form.get("mode") === "setup" ? "no_payment_required" : "unpaid",
    mode: form.get("mode") as string,
    customer: form.get("customer"),
    amount_total:
      Number(form.get("line_items[0][price_data][unit_amount]")) *
      Number(form.get("line_items[0][quantity]")),
    currency: form.get("line_items[0][price_data][currency]") as string,
    payment_intent: null,
    url: `${origin}/pay/${id}`,
    success_url: form.get("success_url") as string,
  };
}

/** What Stripe tells of a payment whose money went back. */
export const chargeOf = (intent: string, refunded: number, currency = "eur") => ({
  object: "charge",
  ...{ amount_refunded: refunded, currency, payment_intent: intent },
});
export const disputeOf = (intent: string, status: string, amount = 999) => ({
  ...{ object: "dispute", id: `dp_${intent}`, amount, currency: "eur", status },
  payment_intent: intent,
});

/** The event's text and its signature header. */
export function signedEvent(
  secret: string,
  type: string,
  object: object,
  options: { id?: string; at?: number } = {},
) {
  const body = JSON.stringify({
    object: "event",
    id: options.id ?? random("evt"),
    type,
    livemode: false,
    data: { object },
  });
  const time = options.at ?? Math.floor(Date.now() / 1000);
  const v1 = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  return { body: Buffer.from(body), signature: `t=${time},v1=${v1}` };
}

/** Marks the session as paid, or its card as saved. */
function pay(session: TestSession): TestSession {
  const isSetup = session.mode === "setup";
  Object.assign(session, {
    status: "complete",
    payment_status: isSetup ? "no_payment_required" : "paid",
    url: null,
    payment_intent: isSetup ? null : (session.payment_intent ?? random("pi")),
  });
  return session;
}

interface State {
  /** True to refuse every call. */
  isFailing: boolean;
  /** The address that gets an event for each payment made on the page. */
  webhookUrl: string | null;
}

interface StripeServer {
  readonly sessions: Map<string, TestSession>;
  readonly byKey: Map<string, TestSession>;
  readonly stripe: Omit<Stripe, "apiBase">;
  readonly state: State;
  readonly cards: CardStore;
}

async function servePage(
  given: StripeServer,
  request: IncomingMessage,
  response: ServerResponse,
  session: TestSession,
): Promise<void> {
  const { state, stripe } = given;
  if (request.method === "POST") {
    pay(session);
    const name = new URLSearchParams(await text(request)).get("card");
    given.cards.nextCard = cardKinds.find((kind) => kind === name) ?? "good";
    if (state.webhookUrl !== null) {
      const { body, signature } = signedEvent(
        stripe.webhookSecret,
        "checkout.session.completed",
        session,
      );
      await fetch(state.webhookUrl, {
        method: "POST",
        body,
        headers: { "stripe-signature": signature },
      });
    }
    response.writeHead(303, { location: session.success_url }).end();
  } else {
    const amount = `${session.amount_total} ${session.currency}`;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<!doctype html><title>Pay</title><link rel="icon" href="data:,"><p>${amount}</p><form method="post"><button>Pay</button>
       <button name="card" value="declined">Use a card without money</button> <button name="card" value="asks">Use a card that asks</button></form>`,
    );
  }
}

async function serve(
  given: StripeServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { sessions, byKey, stripe, state } = given;
  const path = (request.url as string).split("?")[0] as string;
  const origin = `http://${request.headers.host}`;
  const page = sessions.get(path.slice("/pay/".length));
  if (path.startsWith("/pay/") && page !== undefined)
    return servePage(given, request, response, page);
  const answer = (status: number, body: object) =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));
  if (request.headers.authorization !== `Bearer ${stripe.secretKey}`)
    return answer(401, { error: { message: "Invalid API Key" } });
  if (state.isFailing) return answer(500, { error: { message: "An unknown error occurred" } });
  if (request.method === "POST" && path === "/v1/checkout/sessions") {
    const key = String(request.headers["idempotency-key"]);
    const session = byKey.get(key) ?? openSession(new URLSearchParams(await text(request)), origin);
    byKey.set(key, session);
    sessions.set(session.id, session);
    return answer(200, session);
  }
  const [id = "", verb] = path.slice("/v1/checkout/sessions/".length).split("/");
  const session = sessions.get(id);
  if (session !== undefined && verb === "expire") {
    if (session.status !== "open")
      return answer(400, { error: { message: "Only an open Checkout Session can be expired." } });
    return answer(200, Object.assign(session, { status: "expired", url: null }));
  }
  if (session !== undefined) return answer(200, given.cards.withCard(session, request.url ?? ""));
  if (path === "/v1/balance") return answer(200, { object: "balance" });
  const form = new URLSearchParams(await text(request));
  if (await serveCards(given.cards, request, { path, form, answer, response })) return;
  return answer(404, { error: { message: "No such checkout.session" } });
}

export async function startTestStripe(port = 0) {
  const sessions = new Map<string, TestSession>();
  const stripe = { secretKey: "sk_test_stand_in", webhookSecret: "whsec_stand_in_of_a_test" };
  const state: State = { isFailing: false, webhookUrl: null };
  const cards = createCardStore();
  const given: StripeServer = { sessions, byKey: new Map(), stripe, state, cards };
  const server = createServer(
    (request, response) => void serve(given, request, response).catch(() => response.destroy()),
  );
  const { origin: apiBase, close } = await listen(server, port);
  return {
    stripe: { ...stripe, apiBase } satisfies Stripe,
    sessions,
    state,
    cards,
    pay,
    /** As the buyer would, with a card of that kind. */
    payBy(sessionId: string, kind: CardKind): TestSession {
      const session = sessions.get(sessionId);
      if (session === undefined) throw new Error("there is no such page");
      cards.nextCard = kind;
      return pay(session);
    },
    sessionOf: (paymentId: string) =>
      [...sessions.values()].find(
        (session) => session.client_reference_id === paymentId,
      ) as TestSession,
    close,
  };
}
