"use client";

import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";

/** A part of the form that most leave as it is: a line with what holds, and the fields behind it. */
export function FoldRow({
  title,
  value,
  isOpen = false,
  children,
}: {
  title: string;
  value: string;
  /** Unfolds it, for what was filled in; it stays so until the reader folds it. */
  isOpen?: boolean;
  children: ReactNode;
}) {
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
