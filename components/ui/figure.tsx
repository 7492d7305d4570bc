import type { ReactNode } from "react";
import { Skeleton } from "./skeleton";

/** One named figure; a grey bar while it is loading. */
export function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="wrap-anywhere">
        {children ?? (
          <span className="flex h-lh items-center">
            <Skeleton className="h-4 w-16" />
          </span>
        )}
      </dd>
    </div>
  );
}
