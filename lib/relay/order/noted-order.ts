import type { Principal } from "../../accounts/principal";

/**
 * Opens a hold. What a signed-in page orders is noted under its user first, so that there is no hold
 * of the playground without one.
 */
export async function notedOrder<Opened extends { readonly result: string }>(
  principal: Principal,
  operationId: string,
  open: () => Promise<Opened>,
): Promise<Opened> {
  if (principal.kind !== "session") return open();
  await principal.noteOrder(operationId);
  const opened = await open();
  if (opened.result !== "held") await principal.forgetOrder(operationId);
  return opened;
}
