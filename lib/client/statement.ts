import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { statementResponse } from "../contract/usage";
import { request } from "./request";

interface Days {
  from: string;
  to: string;
}

export const statementCsvAddress = ({ from, to }: Days) => `/api/statement/csv?${new URLSearchParams({ from, to })}`;

/** The account's balance over whole UTC days; null: not asked. */
export function useStatement(days: Days | null) {
  return useQuery({
    queryKey: ["usage", "statement", days],
    queryFn: ({ signal }) => request(`/api/statement?${new URLSearchParams({ ...days })}`, statementResponse, { signal }),
    enabled: days !== null,
    placeholderData: keepPreviousData,
  });
}
