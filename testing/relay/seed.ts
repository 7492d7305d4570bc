/** What a test relay's database starts with, and queries for what it contains at the end. */
import { builtInModels as models } from "@/lib/catalog/built-in";
import { openPool } from "@/lib/db/pool";
import type { OpenLedger } from "@/lib/ledger/ledger";
import { type Micropoints, parsePoints } from "@/lib/money/points";
import type { PriceBook, PriceVersion } from "@/lib/price-book/price-version";

export const priceOfTests = { input: 80_000_000n, output: 800_000_000n };
const listPrice = (model: (typeof models)[number]): PriceVersion["price"] =>
  model.id === "RelayV1"
    ? priceOfTests
    : {
        input: parsePoints(model.defaultPrice.input ?? "0") as Micropoints,
        output: parsePoints(model.defaultPrice.output) as Micropoints,
      };
const listPrices = new Map(models.map((model) => [model.id, listPrice(model)]));

export interface Seeded {
  readonly url: string;
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly priceIds: ReadonlyMap<string, string>;
}

export async function seed(url: string): Promise<Seeded> {
  const pool = openPool(url, 1);
  try {
    await pool.query("insert into account (id) values ('acct_a')");
    await pool.query(
      "insert into api_key (id, account_id, name, key_hash, hint) values ('key_a', 'acct_a', 'a', sha256('a'), 'a')",
    );
    const priceIds = new Map<string, string>();
    for (const [model, price] of listPrices) {
      const { rows } = await pool.query<{ id: string }>(
        "insert into price_version (model, input_price, output_price, created_by) values ($1, $2, $3, 'test') returning id",
        [model, price.input, price.output],
      );
      priceIds.set(model, String(rows[0]?.id));
    }
    return { url, accountId: "acct_a", apiKeyId: "key_a", priceIds };
  } finally {
    await pool.end();
  }
}

/** The `End` of each operation, in order. */
export const endsQuery = `
  select outcome, amount::float8, hold_amount::float8 as held, reason, input_tokens::float8 as input, output_tokens::float8 as output,
         is_abandoned as "isAbandoned", array(select l.cause from operator_loss l where l.operation_id = r.id order by l.id) as losses
  from request r order by created_at, id`;

/** How an operation ended, as the database has it. */
export interface End {
  readonly outcome: "settled" | "released";
  readonly amount: number;
  readonly held: number;
  readonly reason: string | null;
  readonly input: number | null;
  readonly output: number | null;
  readonly isAbandoned: boolean;
  readonly losses: string[];
}

/** The current prices. A test may change the chat price; null removes all prices. */
export function priceBookOf(
  setting: {
    readonly price: PriceVersion["price"] | null;
    readonly versions: ReadonlyMap<string, PriceVersion>;
  },
  priceIds: ReadonlyMap<string, string>,
): PriceBook {
  return {
    current(model) {
      const version = setting.versions.get(model);
      if (version) return version;
      const price = model === "RelayV1" ? setting.price : listPrices.get(model);
      return setting.price && price
        ? { id: priceIds.get(model) as string, model, price, effectiveAt: new Date(0) }
        : undefined;
    },
  };
}

/** Opens the account's wallet with `points`. */
export async function fund(ledger: OpenLedger, accountId: string, points: string): Promise<void> {
  const amount = parsePoints(points) as Micropoints;
  await ledger.openWallet(accountId);
  if (amount > 0n)
    await ledger.credit({
      accountId,
      kind: "grant",
      ref: "test",
      amount,
      reason: "test",
      actor: "system",
    });
}
