import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { usageEndpoints } from "../contract/usage";
import { addressOf, call } from "./call";

interface Days {
  from: string;
  to: string;
}

export const statementCsvAddress = ({ from, to }: Days) =>
  addressOf(usageEndpoints.downloadStatement, { query: { from, to } });

/** The account's statement for a range of UTC days; null disables the query. */
export function useStatement(days: Days | null) {
  return useQuery({
    queryKey: ["usage", "statement", days],
    queryFn:
      days === null
        ? skipToken
        : ({ signal }) => call(usageEndpoints.showStatement, { query: days, signal }),
    placeholderData: keepPreviousData,
  });
}
