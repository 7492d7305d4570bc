"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Dialog } from "@/components/ui/dialog";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";

interface RequestDrawerProps {
  query: { data: unknown; error: Error | null; refetch: () => unknown };
  onClose: () => void;
  /** The request's details, once loaded. */
  children: ReactNode;
}

/** A side dialog with one request. */
export function RequestDrawer({
  query: { data, error, refetch },
  onClose,
  children,
}: RequestDrawerProps) {
  const t = useTranslations("usage.detail");
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={t("title")}
      className="sm:right-0 sm:left-auto sm:mx-0 sm:h-dvh sm:max-h-dvh sm:w-[min(30rem,100vw)] sm:rounded-none sm:border-y-0 sm:border-r-0"
    >
      {children}
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <DetailSkeleton />}
    </Dialog>
  );
}

function DetailSkeleton() {
  return (
    <div className="grid gap-5">
      <Skeleton className="h-4 w-32" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-36 w-full" />
    </div>
  );
}
