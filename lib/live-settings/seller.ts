import type { Party } from "../contract/invoices";
import type { Reader } from "../db/pool";
import { readEffectiveSettings } from "./live-settings";

const names = ["seller_name", "seller_address", "seller_tax_number"] as const;

/** Who sells, as receipts and invoices name it; empty where operators have not said. */
export async function readSeller(pool: Reader): Promise<Party> {
  const settings = await readEffectiveSettings(pool, {}, names);
  const value = (wanted: (typeof names)[number]) =>
    settings.find(({ name }) => name === wanted)?.value ?? "";
  return {
    name: value("seller_name"),
    address: value("seller_address"),
    taxNumber: value("seller_tax_number"),
  };
}
