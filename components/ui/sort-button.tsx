import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./class-names";
import { Link } from "./link";
import type { ColumnSort } from "./use-sorted";

interface SortButtonProps {
  sort: ColumnSort;
  isNumber?: boolean | undefined;
  children: ReactNode;
}

/** The name of a column, which sorts by it. In cards the names are hidden, and there is no button. */
export function SortButton({ sort, isNumber = false, children }: SortButtonProps) {
  const { direction } = sort;
  const Arrow = direction === "descending" ? ArrowDown : ArrowUp;
  const look = cn(
    "group inline-flex items-center align-top gap-1 rounded-sm hover:text-ink cards:hidden",
    isNumber && "flex-row-reverse",
    direction && "text-ink",
  );
  const named = (
    <>
      {children}
      <Arrow
        aria-hidden
        className={cn(
          "size-3 shrink-0",
          direction === null && "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60",
        )}
      />
    </>
  );
  return (
    <>
      <span className="rows:hidden">{children}</span>
      {"href" in sort ? (
        <Link href={sort.href} scroll={false} prefetch={false} className={look}>
          {named}
        </Link>
      ) : (
        <button type="button" onClick={sort.onSort} className={look}>
          {named}
        </button>
      )}
    </>
  );
}
