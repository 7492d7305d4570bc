import { useInfiniteQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { type entriesQuery, entriesResponse } from "../contract/entries";
import { request } from "./request";

export type EntryKind = z.infer<typeof entriesQuery>["kind"];

/** The account's history, newest first, a page at a time. */
export function useEntries(kind: EntryKind) {
  return useInfiniteQuery({
    queryKey: ["entries", kind],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ kind });
      if (pageParam) search.set("cursor", pageParam);
      return request(`/api/entries?${search}`, entriesResponse, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}
