import type { Party } from "../contract/invoices";
import type { Reader } from "../db/pool";
import { readEffectiveSettings } from "./live-settings";

/** Who sells, as receipts and invoices name it; empty where operators have not said. */
export async function readSeller(pool: Reader): Promise<Party> {
  const settings = await readEffectiveSettings(pool, {});
  const value = (wanted: "seller_name" | "seller_address" | "seller_tax_number") =>
    settings.find(({ name }) => name === wanted)?.value ?? "";
  return {
    name: value("seller_name"),
    address: value("seller_address"),
    taxNumber: value("seller_tax_number"),
  };
}
