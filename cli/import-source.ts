/** The options that name another relay's database. */
import type { Product, SourceName } from "@/lib/import/book";
import { QUOTA_PER_POINT_DEFAULT, QUOTA_PER_POINT_MAX } from "@/lib/import/rate";
import { openSource } from "@/lib/import/sources/open-source";
import type { Source } from "@/lib/import/sources/source";
import { type Flags, UsageError } from "./command";

export const SOURCE = "--database PLACE [--name N] [--quota-per-point N]";

/** The address may have a password: it can come from standard input or the environment. */
export async function openNamed(flags: Flags): Promise<Source> {
  const place = await flags.secret("database", "RELAY_IMPORT_DATABASE");
  if (place === null)
    throw new UsageError("--database is missing: a PostgreSQL address, a SQLite file or a dump");
  return openSource(place);
}

export function sourceOf(product: Product, flags: Flags): SourceName {
  const rate = flags.optional("quota-per-point") ?? QUOTA_PER_POINT_DEFAULT.toString();
  if (!/^\d{1,13}$/.test(rate) || BigInt(rate) < 1n || BigInt(rate) > QUOTA_PER_POINT_MAX)
    throw new UsageError(
      `--quota-per-point ${rate} is not a whole number from 1 to ${QUOTA_PER_POINT_MAX}`,
    );
  const name = flags.optional("name") ?? product;
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    throw new UsageError(`--name ${name} is not 1 to 40 small letters, digits and hyphens`);
  return { name, product, quotaPerPoint: BigInt(rate) };
}
