import { useQuery } from "@tanstack/react-query";
import { contentEndpoints } from "../contract/content";
import { call } from "./call";
import { useWrite } from "./write";

const keyOf = (id: string) => ["usage", "content", id];

/** What a request asked and was answered. Not asked for where the account keeps nothing. */
export const useContent = (id: string, isKept: boolean) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => call(contentEndpoints.showContent, { id, signal }),
    enabled: isKept,
  });

export const useRemoveContent = (id: string) =>
  useWrite(() => call(contentEndpoints.removeContent, { id }), keyOf(id));
