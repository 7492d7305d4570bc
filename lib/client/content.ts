import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { contentEndpoints } from "../contract/content";
import { call } from "./call";

const keyOf = (id: string) => ["usage", "content", id];

/** What a request asked and was answered. Not asked for where the account keeps nothing. */
export const useContent = (id: string, isKept: boolean) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => call(contentEndpoints.showContent, { id, signal }),
    enabled: isKept,
  });

export function useRemoveContent(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(contentEndpoints.removeContent, { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(id) }),
  });
}
