/** Which way the entries of the ledger go, in SQL over their column `kind`. */
import { creditKinds, isTakingKind } from "../../contract/states";

const among = (kinds: readonly string[]) =>
  `kind in (${kinds.map((kind) => `'${kind}'`).join(", ")})`;

export const takesPoints = among(creditKinds.filter(isTakingKind));
export const addsPoints = among(creditKinds.filter((kind) => !isTakingKind(kind)));
