import type { Principal, SessionPrincipal } from "../../accounts/principal";

async function noted<Opened extends { readonly result: string }>(
  principal: SessionPrincipal,
  operationId: string,
  open: () => Promise<Opened>,
): Promise<Opened> {
  await principal.noteOrder(operationId);
  const opened = await open();
  if (opened.result !== "held") await principal.forgetOrder(operationId);
  return opened;
}

/**
 * Opens a hold. What a signed-in page orders is noted under its user first, so that there is no hold
 * of the playground without one.
 */
export const notedOrder = <Opened extends { readonly result: string }>(
  principal: Principal,
  operationId: string,
  open: () => Promise<Opened>,
): Promise<Opened> => (principal.kind === "session" ? noted(principal, operationId, open) : open());
