import { releaseNode, sweepLedger } from "../commands/ledger";
import type { Call } from "../site/call";

export async function checkNow({ parts, user }: Call) {
  return { ended: await sweepLedger(parts, user().userId) };
}

export async function giveNodeUp({ parts, id, user }: Call) {
  return { operations: await releaseNode(parts, user().userId, { id }) };
}
