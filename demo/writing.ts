/** What is known while the history is written, in the order of time. */
import { type AccountTerms, readTerms as readAccountTerms } from "@/lib/accounts/account-terms";
import { flushLastUses } from "@/lib/accounts/key-last-use";
import { findModel } from "@/lib/catalog/models";
import { readPresentPrices } from "@/lib/price-book/price-schedule";
import type { PriceVersion } from "@/lib/price-book/price-version";
import { MULTIPLIER_PPM_ONE } from "@/lib/pricing/price";
import type { PricedModel } from "@/lib/relay/order/find-model";
import type { Channel } from "@/lib/upstream/provider";
import type { startTestStripe } from "@/testing/topup/stripe";
import type { OpenDemo } from "./open-demo";
import { OPERATOR, SECOND_OPERATOR } from "./people";
import type { Random } from "./random";
import { Timeline } from "./timeline";

interface WrittenPerson {
  readonly accountId: string;
  readonly userId: string;
}

type TestStripe = Awaited<ReturnType<typeof startTestStripe>>;

interface Given {
  readonly demo: OpenDemo;
  readonly random: Random;
  readonly end: number;
  readonly payments: TestStripe;
  /** Where the demo's channels are answered while it is served. */
  readonly upstreamOrigin: string;
}

export class Writing {
  readonly timeline = new Timeline();
  readonly people = new Map<string, WrittenPerson>();
  /** Key ids by email and name. */
  readonly keys = new Map<string, string>();
  readonly channels = new Map<string, Channel>();
  /** The ids of packages by their names. */
  readonly packages = new Map<string, string>();
  /** Invitation codes by the email address of the person who used them. */
  readonly invites = new Map<string, string>();
  /** The ids of keys that are paused. */
  paused: ReadonlySet<string> = new Set();
  readonly #lastUses = new Map<string, number>();
  #prices = new Map<string, PriceVersion>();
  #terms = new Map<string, AccountTerms | null>();

  constructor(readonly given: Given) {}

  get demo(): OpenDemo {
    return this.given.demo;
  }

  person(email: string): WrittenPerson {
    const found = this.people.get(email);
    if (found === undefined) throw new Error(`${email} has no account yet`);
    return found;
  }

  channel(name: string): Channel {
    const found = this.channels.get(name);
    if (found === undefined) throw new Error(`there is no channel ${name} yet`);
    return found;
  }

  get operator(): string {
    return this.person(OPERATOR).userId;
  }

  get secondOperator(): string {
    return this.person(SECOND_OPERATOR).userId;
  }

  noteUse(keyId: string, at: number): void {
    this.#lastUses.set(keyId, at);
  }

  async writeLastUses(): Promise<void> {
    if (this.#lastUses.size > 0) await flushLastUses(this.demo.pool, this.#lastUses);
  }

  /** Reads the prices that apply from now on. */
  async readPrices(): Promise<void> {
    const prices = await readPresentPrices(this.demo.pool);
    this.#prices = new Map(prices.map((each) => [each.model, each]));
  }

  /** Reads the terms of the accounts that apply from now on. */
  async readTerms(...accountIds: string[]): Promise<void> {
    for (const id of accountIds) this.#terms.set(id, await readAccountTerms(this.demo.pool, id));
  }

  /** A model at its present price, with the multiplier of the account's terms. */
  priced(accountId: string, model: string): PricedModel {
    const found = findModel(model);
    const price = this.#prices.get(model);
    if (found === undefined || price === undefined) throw new Error(`${model} has no price`);
    const multiplierPpm = this.#terms.get(accountId)?.multiplierPpm(model) ?? MULTIPLIER_PPM_ONE;
    return { model: found, price, multiplierPpm };
  }
}
