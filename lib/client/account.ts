import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { meEndpoints } from "../contract/me";
import { userEndpoints } from "../contract/users";
import { voucherEndpoints } from "../contract/vouchers";
import { call } from "./call";
import { useHydrated } from "./hydrated";

const HELD_POLL_MS = 2000;
const IDLE_POLL_MS = 10_000;

/**
 * The signed-in user with the account's balance. Refetched every two seconds while points are held.
 */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => call(meEndpoints.showMe, { signal }),
  refetchInterval: (query) =>
    (query.state.data?.balance.openHolds ?? 0) > 0 ? HELD_POLL_MS : IDLE_POLL_MS,
});

/**
 * A page hydrates in parts, so a client answer may arrive before a part has hydrated. Until then
 * the part shows what the server rendered.
 */
export function useMe() {
  const { data, error, refetch } = useQuery(meQuery);
  const isHydrated = useHydrated();
  return { data: isHydrated ? data : undefined, error, refetch };
}

export function useRedeemVoucher() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => call(voucherEndpoints.redeemVoucher, { body: { code } }),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: meQuery.queryKey }),
        client.invalidateQueries({ queryKey: ["entries"] }),
      ]);
    },
  });
}

export function signUp(body: {
  email: string;
  password: string;
  invite?: string | undefined;
  humanCheck?: string | undefined;
}) {
  return call(userEndpoints.signUp, { body });
}

export function changePassword(body: { currentPassword?: string; newPassword: string }) {
  return call(userEndpoints.changePassword, { body });
}

export function signOutEverywhere() {
  return call(userEndpoints.signOutEverywhere, {});
}
