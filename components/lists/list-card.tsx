"use client";

import type { ReactNode } from "react";
import { Card, CardHead } from "@/components/ui/card";
import { QueryFailure } from "@/components/ui/query-failure";
import { Table, TableBody, TableHead } from "@/components/ui/table";
import { ListSkeleton } from "./list-skeleton";
import { MorePages } from "./more-pages";

interface Loading {
  data: unknown;
  error: Error | null;
  refetch: () => unknown;
  /** True while the rows are still those of the previous filter. */
  isPlaceholderData?: boolean;
}

interface Pages extends Loading {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface ListCardProps {
  /** Also the id of the heading that labels the table. */
  id: string;
  title: string;
  note?: ReactNode;
  /** Shown at the right of the title: filters and actions. */
  aside?: ReactNode;
  /** The query that loads the rows, all at once or by page; absent when the rows are given. */
  query?: Loading | Pages | undefined;
  columns: ReactNode;
  rows: readonly ReactNode[];
  /** Shown when there are no rows: a sentence, or an element with its own layout. */
  empty?: ReactNode;
  /** Shown while the rows load. */
  skeleton?: ReactNode;
  /** Shown between the title and the rows, such as sums. */
  children?: ReactNode;
  /** Shown below rows that have loaded. */
  foot?: ReactNode;
  className?: string | undefined;
  /** For the box around the table, such as a minimum height that prevents a layout shift. */
  tableClassName?: string;
}

/** A list in a card, with its title and filters, and its loading, empty and failed states. */
export function ListCard(props: ListCardProps) {
  const {
    id,
    title,
    note,
    aside,
    query,
    columns,
    rows,
    empty,
    skeleton,
    children,
    foot,
    className,
    tableClassName,
  } = props;
  const isLoaded = query === undefined || Boolean(query.data);
  const failure = isLoaded ? null : query.error;
  return (
    <Card aria-labelledby={id} aria-busy={query?.isPlaceholderData} className={className}>
      <CardHead id={id} title={title} note={note}>
        {aside}
      </CardHead>
      {children}
      {failure ? (
        <div className="border-t p-5">
          <QueryFailure error={failure} onRetry={() => void query?.refetch()} />
        </div>
      ) : null}
      {isLoaded || failure ? null : (skeleton ?? <ListSkeleton />)}
      {isLoaded && rows.length === 0 ? <Empty>{empty}</Empty> : null}
      {rows.length > 0 ? (
        <div className={tableClassName}>
          <Table labelledBy={id} className="border-t">
            <TableHead>{columns}</TableHead>
            <TableBody>{rows}</TableBody>
          </Table>
        </div>
      ) : null}
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
