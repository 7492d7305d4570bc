"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

interface MorePagesProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** The foot of a list that is read a page at a time; nothing once all of it is there. */
export function MorePages({ query }: MorePagesProps) {
  const t = useTranslations("entries");
  if (!query.hasNextPage) return null;
  return (
    <div className="border-t p-3 text-center">
      <Button
        look="quiet"
        isBusy={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {t("more")}
      </Button>
    </div>
  );
}
