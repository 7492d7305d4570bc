import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";

/** The shape of a part of the playground while it is on its way. */
export function StudioSkeleton() {
  const t = useTranslations("ui");
  return (
    <div data-studio role="status" className="flex min-h-0 flex-1 flex-col">
      <span className="sr-only">{t("loading")}</span>
      <div className="flex min-h-13 items-center gap-5 border-b px-4 lg:px-6">
        <Skeleton className="h-4 w-10" />
        <Skeleton className="h-4 w-10" />
        <Skeleton className="h-4 w-12" />
      </div>
      <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[21rem_minmax(0,1fr)]">
        <div className="grid content-start gap-4 border-r px-6 py-4 max-lg:hidden">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-28 w-full" />
          <Skeleton className="h-14 w-full" />
        </div>
        <div className="px-4 py-4 lg:px-6">
          <Skeleton className="aspect-video max-h-[60dvh] w-full rounded-md" />
        </div>
      </div>
    </div>
  );
}
