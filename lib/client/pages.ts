import { keepPreviousData, skipToken, useInfiniteQuery } from "@tanstack/react-query";

export interface Paging {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/** The rows of a list, newest first, a page at a time; `read` null: the filter is not known yet. */
export function usePages<Page extends { nextCursor: string | null }>(
  queryKey: readonly unknown[],
  read: ((paging: Paging) => Promise<Page>) | null,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn:
      read === null
        ? skipToken
        : ({ pageParam, signal }) => read({ cursor: pageParam ?? undefined, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}
