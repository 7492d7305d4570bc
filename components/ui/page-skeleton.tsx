import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";

/** A placeholder for a signed-in page that is loading. */
export function PageSkeleton() {
  const t = useTranslations("ui");
  return (
    <div role="status">
      <span className="sr-only">{t("loading")}</span>
      <Skeleton className="mb-2 h-7 w-52" />
      <Skeleton className="mb-6.5 h-4 w-80 max-w-full" />
      <Card className="mb-3.5 p-5">
        <Skeleton className="mb-3 h-4 w-36" />
        <Skeleton className="mb-4 h-8 w-64 max-w-full" />
        <Skeleton className="h-3.5 w-full" />
      </Card>
      <Card className="grid gap-4 p-5">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-3/4" />
      </Card>
    </div>
  );
}
