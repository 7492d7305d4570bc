import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";

interface FoldRowProps {
  title: string;
  value: string;
  /** Unfolds it when a field is filled in. It stays open until the user folds it. */
  isOpen?: boolean;
  children: ReactNode;
}

/** Advanced fields of the form behind a line with their current value. */
export function FoldRow({ title, value, isOpen = false, children }: FoldRowProps) {
  const [isUnfolded, setIsUnfolded] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setIsUnfolded(true);
  }, [isOpen]);
  return (
    <details
      className="group border-b first:border-t"
      open={isUnfolded}
      onToggle={({ currentTarget }) => setIsUnfolded(currentTarget.open)}
    >
      <summary className="flex list-none items-center gap-2 rounded-sm py-2 text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 text-muted transition-transform group-open:rotate-90"
        />
        <span className="flex-1 font-medium">{title}</span>
        <span className="truncate text-muted">{value}</span>
      </summary>
      <div className="pt-1 pb-3">{children}</div>
    </details>
  );
}
