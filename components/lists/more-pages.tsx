import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

interface MorePagesProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** The button that loads the next page of a list; nothing after the last page. */
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
