import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { accountEndpoints } from "../contract/operator-accounts";
import { type ActionView, actionEndpoints } from "../contract/operator-actions";
import { inviteEndpoints } from "../contract/operator-invites";
import { moneyEndpoints } from "../contract/operator-money";
import { requestEndpoints } from "../contract/operator-requests";
import { topupEndpoints } from "../contract/operator-topup";
import type { PageFilterOf } from "../contract/page-endpoint";
import { addressOf, call } from "./call";
import { usePages } from "./pages";
import { reading } from "./read";

export const useAccounts = (filter: PageFilterOf<typeof accountEndpoints.listAccounts>) =>
  usePages(["operator", "accounts", filter], ({ cursor, signal }) =>
    call(accountEndpoints.listAccounts, { query: { ...filter, cursor }, signal }),
  );

/** The newest accounts that a text finds. */
export const accountsNamed = (q: string, signal: AbortSignal) =>
  call(accountEndpoints.listAccounts, { query: { q }, signal });

export const useInvites = () =>
  usePages(["operator", "invites"], ({ cursor, signal }) =>
    call(inviteEndpoints.listInvites, { query: { cursor }, signal }),
  );

type RequestFilter = PageFilterOf<typeof requestEndpoints.listRequests>;
/** `filter` is null until it is known. */
export const useRequestLog = (filter: RequestFilter | null) =>
  usePages(
    ["operator", "requests", filter],
    filter &&
      (({ cursor, signal }) =>
        call(requestEndpoints.listRequests, { query: { ...filter, cursor }, signal })),
  );

export const useTasks = (filter: PageFilterOf<typeof requestEndpoints.listAllTasks>) =>
  usePages(["operator", "tasks", filter], ({ cursor, signal }) =>
    call(requestEndpoints.listAllTasks, { query: { ...filter, cursor }, signal }),
  );

type ActionFilter = PageFilterOf<typeof actionEndpoints.listActions>;
export const useActions = (filter: ActionFilter) =>
  usePages(["operator", "actions", filter], ({ cursor, signal }) =>
    call(actionEndpoints.listActions, { query: { ...filter, cursor }, signal }),
  );

/**
 * One row of the audit log, null where there is none: the first below the row after it. `listed`:
 * the row, if a list has it.
 */
export function useAction(seq: string, listed: ActionView | undefined) {
  return useQuery({
    queryKey: ["operator", "action", seq],
    queryFn: async ({ signal }) => {
      const cursor = /^\d{1,17}$/.test(seq) ? (BigInt(seq) + 1n).toString() : seq;
      const { actions } = await call(actionEndpoints.listActions, { query: { cursor }, signal });
      return { action: actions.find((each) => each.seq === seq) ?? null };
    },
    enabled: listed === undefined,
  });
}

export const actionsCsvAddress = (query: ActionFilter) =>
  addressOf(actionEndpoints.downloadActions, { query });

export const useVoucherBatches = () =>
  usePages(["operator", "vouchers"], ({ cursor, signal }) =>
    call(topupEndpoints.listVoucherBatches, { query: { cursor }, signal }),
  );

export const useBatchVouchers = (id: string) =>
  usePages(["operator", "vouchers", id], ({ cursor, signal }) =>
    call(topupEndpoints.listBatchVouchers, { id, query: { cursor }, signal }),
  );

export const batchCsvAddress = (id: string) => addressOf(topupEndpoints.downloadBatch, { id });

export const useAllPayments = (attention: "all" | "open") =>
  usePages(["operator", "payments", attention], ({ cursor, signal }) =>
    call(topupEndpoints.listAllPayments, { query: { attention, cursor }, signal }),
  );

export const useAccountEntries = (id: string, kind: string) =>
  usePages(["operator", "accounts", id, "entries", kind], ({ cursor, signal }) =>
    call(accountEndpoints.listAccountEntries, { id, query: { kind, cursor }, signal }),
  );

export const useAccount = (id: string) =>
  useQuery(reading(["operator", "account", id], accountEndpoints.showAccount, { id }));

export const useLoggedRequest = (id: string) =>
  useQuery(reading(["operator", "request", id], requestEndpoints.showLoggedRequest, { id }));

export const stuckQuery = queryOptions({
  queryKey: ["operator", "stuck"],
  queryFn: ({ signal }) => call(requestEndpoints.showStuck, { signal }),
  refetchInterval: 10_000,
});

export const chainQuery = queryOptions({
  queryKey: ["operator", "chain"],
  queryFn: ({ signal }) => call(actionEndpoints.checkChain, { signal }),
  enabled: false,
});

export const packagesQuery = reading(["operator", "packages"], topupEndpoints.listAllPackages, {});

export function useMoney(days: string) {
  return useQuery({
    queryKey: ["operator", "money", days],
    queryFn: ({ signal }) => call(moneyEndpoints.showMoney, { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}

export const moneyCsvAddress = (days: string) =>
  addressOf(moneyEndpoints.downloadMoney, { query: { days } });
