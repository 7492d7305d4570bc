/**
 * The part of a fake Stripe that saves cards and charges them: each key once, with the refusals and
 * the silences of a real one.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestSession } from "./test-session";

export interface TestIntent {
  readonly object: "payment_intent";
  readonly id: string;
  status: string;
  readonly amount: number;
  amount_received: number;
  readonly currency: string;
  readonly customer: string;
  readonly payment_method: string;
  readonly metadata: { payment: string };
  readonly created: number;
  last_payment_error: { code: string } | null;
}

/** What a charge of the card does. */
export const cardKinds = ["good", "declined", "asks", "gone", "slow"] as const;
export type CardKind = (typeof cardKinds)[number];

/**
 * `before`: refused with 500 before anything was done. `lost`: done, and the connection breaks
 * before the answer. `kept`: done, and answered 500, which is what the key answers from then on.
 */
type Fault = "before" | "lost" | "kept";

const random = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`;

export type CardStore = ReturnType<typeof createCardStore>;

export function createCardStore() {
  const intents = new Map<string, TestIntent>();
  const answers = new Map<string, { status: number; body: object }>();
  const kinds = new Map<string, CardKind>();
  const cardOf = new Map<string, string>();
  const store = {
    intents,
    answers,
    kinds,
    /** Cards and customers that were removed. */
    removed: [] as string[],
    fault: null as Fault | null,
    /** How often a charge was asked for, also by an earlier key. */
    asked: 0,
    /** The card that is saved next: a kind of card. */
    nextCard: "good" as CardKind,
    /** Called before a charge is answered. */
    onCharge: null as ((intent: TestIntent) => Promise<void>) | null,
    paid: () => [...intents.values()].filter(({ status }) => status === "succeeded"),
    /** The session with the card that its customer used, where it is asked for. */
    withCard(session: TestSession, url: string): object {
      if (session.status !== "complete" || !decodeURIComponent(url).includes("payment_method"))
        return session;
      const id = cardOf.get(session.id) ?? random("pm");
      if (!cardOf.has(session.id)) {
        cardOf.set(session.id, id);
        kinds.set(id, store.nextCard);
      }
      const last4 = { declined: "0002", asks: "3155" }[kinds.get(id) as string] ?? "4242";
      const card = { brand: "visa", last4, exp_month: 7, exp_year: 2031 };
      const intent = { id: session.payment_intent ?? "seti_1", payment_method: { id, card } };
      return session.mode === "setup"
        ? { ...session, setup_intent: intent }
        : { ...session, payment_intent: intent };
    },
  };
  return store;
}

function refusal(code: string, intent: TestIntent) {
  intent.status = "requires_payment_method";
  intent.last_payment_error = { code };
  const error = { type: "card_error", code, message: "Refused", payment_intent: intent };
  return { status: 402, body: { error } };
}

async function charge(store: CardStore, form: URLSearchParams) {
  const card = form.get("payment_method") as string;
  const kind = store.kinds.get(card) ?? "good";
  if (kind === "gone") {
    const error = { type: "invalid_request_error", code: "resource_missing", message: "None" };
    return { status: 400, body: { error } };
  }
  const intent: TestIntent = {
    object: "payment_intent",
    id: random("pi"),
    status: "processing",
    amount: Number(form.get("amount")),
    amount_received: 0,
    currency: form.get("currency") as string,
    customer: form.get("customer") as string,
    payment_method: card,
    metadata: { payment: form.get("metadata[payment]") as string },
    created: Math.floor(Date.now() / 1000),
    last_payment_error: null,
  };
  store.intents.set(intent.id, intent);
  if (kind === "good") {
    intent.status = "succeeded";
    intent.amount_received = intent.amount;
  }
  if (kind === "declined") return refusal("card_declined", intent);
  if (kind === "asks") return refusal("authentication_required", intent);
  await store.onCharge?.(intent);
  return { status: 200, body: intent };
}

interface Asked {
  readonly path: string;
  readonly form: URLSearchParams;
  readonly response: ServerResponse;
  answer(status: number, body: object): void;
}

async function serveCharge(store: CardStore, key: string, asked: Asked): Promise<void> {
  store.asked++;
  const earlier = store.answers.get(key);
  if (earlier !== undefined) return asked.answer(earlier.status, earlier.body);
  const oops = { error: { type: "api_error", message: "An unknown error occurred" } };
  if (store.fault === "before") return asked.answer(500, oops);
  // As at Stripe: the key is taken while its first request runs.
  const taken = { error: { type: "idempotency_error", message: "In use" } };
  store.answers.set(key, { status: 409, body: taken });
  const { fault } = store;
  const made = await charge(store, asked.form);
  store.answers.set(key, fault === "kept" ? { status: 500, body: oops } : made);
  if (fault === "lost") asked.response.destroy();
  else if (fault === "kept") asked.answer(500, oops);
  else asked.answer(made.status, { ...made.body });
}

/** Whether the request was for it. */
export async function serveCards(
  store: CardStore,
  request: IncomingMessage,
  asked: Asked,
): Promise<boolean> {
  const { path, answer } = asked;
  const [, , noun, id, verb] = path.split("/");
  const intent = store.intents.get(id ?? "");
  if (noun === "customers" && request.method === "POST") answer(200, { id: random("cus") });
  else if (noun === "customers" || verb === "detach") {
    store.removed.push(id ?? "");
    answer(200, { id });
  } else if (noun === "payment_intents" && id === undefined && request.method === "POST")
    await serveCharge(store, String(request.headers["idempotency-key"]), asked);
  else if (noun === "payment_intents" && id === undefined) {
    const customer = new URL(request.url ?? "", "http://stripe").searchParams.get("customer");
    const data = [...store.intents.values()].filter((each) => each.customer === customer);
    answer(200, { object: "list", data });
  } else if (intent !== undefined && verb === "cancel") {
    if (intent.status === "succeeded") answer(400, { error: { type: "invalid_request_error" } });
    else {
      intent.status = "canceled";
      intent.last_payment_error = null;
      answer(200, intent);
    }
  } else if (noun === "payment_intents" && intent !== undefined) answer(200, intent);
  else return false;
  return true;
}
