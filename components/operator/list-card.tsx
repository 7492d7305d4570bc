"use client";

import type { ReactNode } from "react";
import { MorePages } from "@/components/shell/more-pages";
import { QueryFailure } from "@/components/shell/query-failure";
import { Card, CardHead } from "@/components/ui/card";
import { Table, TableBody, TableHead } from "@/components/ui/table";
import { EntriesSkeleton } from "@/components/usage/entries-card";

interface Pages {
  data: unknown;
  error: Error | null;
  isPending: boolean;
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

interface ListCardProps {
  id: string;
  title: string;
  note?: ReactNode;
  /** At the right of the head. */
  aside?: ReactNode;
  query: Pages;
  /** In the place of rows when there are none. */
  empty: string;
  columns: ReactNode;
  rows: readonly ReactNode[];
  className?: string;
}

/** A list that is read a page at a time, with its waiting, its emptiness and its failure. */
export function ListCard({ id, title, note, aside, query, empty, columns, rows, className }: ListCardProps) {
  return (
    <Card aria-labelledby={id} aria-busy={query.isPlaceholderData} className={className}>
      <CardHead id={id} title={title} note={note}>
        {aside}
      </CardHead>
      {query.error && !query.data ? (
        <div className="border-t p-5">
          <QueryFailure error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : null}
      {query.isPending && !query.error ? <EntriesSkeleton /> : null}
      {query.data && rows.length === 0 ? <p className="border-t px-5 py-10 text-center text-muted">{empty}</p> : null}
      {rows.length > 0 ? (
        <Table labelledBy={id} className="border-t">
          <TableHead>{columns}</TableHead>
          <TableBody>{rows}</TableBody>
        </Table>
      ) : null}
      <MorePages query={query} />
    </Card>
  );
}
