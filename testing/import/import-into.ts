/** One run of an import, as the command line makes it. Nothing here needs a test runner. */
import pg from "pg";
import { replaceCatalogue } from "@/lib/catalog/models";
import { fixedSecrets } from "@/lib/crypto/secrets";
import { connectDatabase } from "@/lib/db/client";
import { openPool } from "@/lib/db/pool";
import type { Product } from "@/lib/import/book";
import { QUOTA_PER_POINT_DEFAULT } from "@/lib/import/rate";
import { ImportReport } from "@/lib/import/report";
import { runImport } from "@/lib/import/run-import";
import { openSource } from "@/lib/import/sources/open-source";
import { readCatalogue } from "@/lib/model-book/read-models";
import { seedPrices } from "@/lib/price-book/set-price";

const SECRET = "a secret of at least 32 characters";

export interface Import {
  readonly product: Product;
  readonly place: string;
  readonly isDry?: boolean;
  /** Our plans by the ids of theirs. */
  readonly plans?: ReadonlyMap<string, string>;
}

/** One run of an import into the database of a URL, as the command line makes it. */
export async function importInto(
  databaseUrl: string,
  { product, place, isDry = false, plans = new Map() }: Import,
): Promise<ImportReport> {
  const pool = openPool(databaseUrl, 2);
  const database = connectDatabase(databaseUrl, 2);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const from = await openSource(place);
  const report = new ImportReport();
  try {
    await seedPrices(pool);
    replaceCatalogue(await readCatalogue(pool));
    const source = { name: product, product, quotaPerPoint: QUOTA_PER_POINT_DEFAULT };
    await runImport(
      { database, pool, secrets: fixedSecrets(SECRET) },
      {
        ...{ source, isDry, client, from, report, actor: "cli" },
        ...{ outputTokensMax: 32_768, keyRequestsPerMinute: 6000, plans },
      },
    );
    return report;
  } finally {
    await from.close();
    await client.end();
    await database.$disconnect();
    await pool.end();
  }
}
