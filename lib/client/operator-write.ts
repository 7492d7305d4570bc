import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Callable } from "../contract/page-endpoint";
import { type CallInput, call } from "./call";

/** An operator's change. All operator queries are refetched when it is done. */
export function useOperatorWrite<Row extends Callable>(row: Row) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CallInput<Row>) => call(row, input),
    onSuccess: () => client.invalidateQueries({ queryKey: ["operator"] }),
  });
}
