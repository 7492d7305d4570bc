import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Callable } from "../contract/page-endpoint";
import { type CallInput, call } from "./call";

/**
 * A change, after which what is cached under `queryKey` is read again: it may be another one where the
 * change was refused. `isSecret`: what is sent or answered must not stay in the cache.
 */
export function useWrite<Input, Answer>(
  send: (input: Input) => Promise<Answer>,
  queryKey: QueryKey,
  isSecret = false,
) {
  const client = useQueryClient();
  const readAgain = () => client.invalidateQueries({ queryKey });
  return useMutation({
    mutationFn: send,
    onSuccess: readAgain,
    onError: () => void readAgain(),
    ...(isSecret && { gcTime: 0 }),
  });
}

/** An operator's change. All that operators' pages show is read again. */
export const useOperatorWrite = <Row extends Callable>(row: Row) =>
  useWrite((input: CallInput<Row>) => call(row, input), ["operator"]);
