import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type AutoTopupView, autoTopupEndpoints, type SetAutoTopup } from "../contract/auto-topup";
import { call } from "./call";
import { usePaymentPage } from "./payment-page";

const queryKey = ["auto-topup"];
const POLL_MS = 4000;
/** How often a saved card is asked about after the return from the payment provider. */
const RETURN_POLLS_MAX = 10;

/** The saved card and its terms. `returned`: the page from which the person comes back, if any. */
export function useAutoTopup(returned: string | null) {
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<AutoTopupView> => {
      const shown = () => call(autoTopupEndpoints.showAutoTopup, { signal });
      if (returned === null) return shown();
      // An ordinary purchase saves no card.
      return call(autoTopupEndpoints.checkCard, { id: returned, signal }).catch(shown);
    },
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      const isWaiting = data?.state === "pending" || data?.state === "paused";
      const isReturning = returned !== null && dataUpdateCount < RETURN_POLLS_MAX;
      return (isReturning && data?.state !== "on") || (isWaiting && data.state === "pending")
        ? POLL_MS
        : false;
    },
  });
}

/** A change of the terms or of the card. */
export function useChangeAutoTopup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: SetAutoTopup | "off" | "remove_card"): Promise<AutoTopupView> => {
      if (change === "off") return call(autoTopupEndpoints.stopAutoTopup, {});
      if (change === "remove_card") return call(autoTopupEndpoints.removeCard, {});
      return call(autoTopupEndpoints.setAutoTopup, { body: change });
    },
    onSuccess: (view) => client.setQueryData(queryKey, view),
  });
}

/** Opens the payment provider's page, on which a card is saved or confirmed. */
export const useCardPage = () =>
  usePaymentPage((what: "save" | "confirm") =>
    call(what === "save" ? autoTopupEndpoints.saveCard : autoTopupEndpoints.confirmCard, {}),
  );
