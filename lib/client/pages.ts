import { keepPreviousData, skipToken, useInfiniteQuery } from "@tanstack/react-query";

export interface Paging {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The rows of a list, newest first, one page at a time. `read` is null until the filter is known.
 * `everyMs`: they are read again so often while the page is seen.
 */
export function usePages<Page extends { nextCursor: string | null }>(
  queryKey: readonly unknown[],
  read: ((paging: Paging) => Promise<Page>) | null,
  { everyMs }: { readonly everyMs?: number | undefined } = {},
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
    refetchInterval: everyMs ?? false,
  });
}
