import { Skeleton } from "@/components/ui/skeleton";

/** A placeholder for three rows that are loading. */
export function ListSkeleton() {
  return (
    <div className="border-t">
      {["first", "second", "third"].map((row) => (
        <div key={row} className="flex items-center gap-8 border-b px-5 py-5 last:border-b-0">
          <Skeleton className="h-8 w-36" />
          <Skeleton className="h-8 flex-1" />
          <Skeleton className="h-4 w-24" />
        </div>
      ))}
    </div>
  );
}
