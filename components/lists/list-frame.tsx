import type { ReactNode } from "react";
import { Card, CardHead } from "@/components/ui/card";
import { QueryFailure } from "@/components/ui/query-failure";
import { ListSkeleton } from "./list-skeleton";
import { MorePages } from "./more-pages";

interface Loading {
  data: unknown;
  error: Error | null;
  refetch: () => unknown;
  /** True while the rows are still those of the previous filter. */
  isPlaceholderData?: boolean;
}

export interface Pages extends Loading {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export interface ListFrameProps {
  /** Also the id of the heading that labels the rows. */
  id: string;
  title: string;
  /** The page's title says the same. */
  isPageTitle?: boolean;
  note?: ReactNode;
  /** Shown at the right of the title: filters and actions. */
  aside?: ReactNode;
  /** Replaces the head; it must contain the heading with the id. */
  head?: ReactNode;
  /** The query that loads the rows, all at once or by page; absent when the rows are given. */
  query?: Loading | Pages | undefined;
  /** Shown when there are no rows: a sentence, or an element with its own layout. */
  empty?: ReactNode;
  /** Shown while the rows load. */
  skeleton?: ReactNode;
  /** Shown between the title and the rows, such as sums. */
  children?: ReactNode;
  /** Shown below rows that have loaded. */
  foot?: ReactNode;
  className?: string | undefined;
}

/** A card around the rows of a list, with its title, and its loading, empty and failed states. */
export function ListFrame({
  rows,
  ...props
}: ListFrameProps & {
  /** Null when there are none. */
  rows: ReactNode;
}) {
  const { id, title, isPageTitle, note, aside, head, query, empty } = props;
  const { skeleton, children, foot, className } = props;
  const isLoaded = query === undefined || Boolean(query.data);
  const failure = isLoaded ? null : query.error;
  return (
    <Card aria-labelledby={id} aria-busy={query?.isPlaceholderData} className={className}>
      {head ?? <CardHead {...{ id, title, isPageTitle, note }}>{aside}</CardHead>}
      {children}
      {failure ? (
        <div className="border-t p-5">
          <QueryFailure error={failure} onRetry={() => void query?.refetch()} />
        </div>
      ) : null}
      {isLoaded || failure ? null : (skeleton ?? <ListSkeleton />)}
      {isLoaded && rows === null ? <Empty>{empty}</Empty> : null}
      {rows}
      {query && "fetchNextPage" in query ? <MorePages query={query} /> : null}
      {isLoaded ? foot : null}
    </Card>
  );
}

function Empty({ children }: { children: ReactNode }) {
  return typeof children === "string" ? (
    <p className="border-t px-5 py-10 text-center text-muted">{children}</p>
  ) : (
    children
  );
}
