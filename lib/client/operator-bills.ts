import { skipToken, useQuery } from "@tanstack/react-query";
import { billEndpoints } from "../contract/operator-bills";
import { addressOf, call } from "./call";
import { reading } from "./read";

export const billsQuery = reading(["operator", "bills"], billEndpoints.listUpstreamBills, {
  query: {},
});

/** One bill with its differences; none while no bill is chosen. */
export const useBill = (id: string | null) =>
  useQuery({
    queryKey: ["operator", "bill", id],
    queryFn:
      id === null
        ? skipToken
        : ({ signal }) => call(billEndpoints.showUpstreamBill, { id, signal, query: {} }),
  });

export const billCsvAddress = (id: string) => addressOf(billEndpoints.downloadUpstreamBill, { id });

/** What a channel's upstream asks; none while no channel is chosen. */
export const useUpstreamRates = (channelId: string | null) =>
  useQuery({
    queryKey: ["operator", "upstream-rates", channelId],
    queryFn:
      channelId === null
        ? skipToken
        : ({ signal }) => call(billEndpoints.listUpstreamRates, { signal, query: { channelId } }),
  });
