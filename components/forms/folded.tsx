"use client";

import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

interface FoldedProps {
  title: string;
  /** Beside the title while it is folded: what holds inside. */
  note: string;
  /** Opens it for a field that is wrong. It stays open until the reader folds it. */
  isOpen: boolean;
  children: ReactNode;
}

/** The fields of a form that most people leave as they are. */
export function Folded({ title, note, isOpen, children }: FoldedProps) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  return (
    <details
      className="group rounded-md border px-4 open:pb-4"
      open={isOpen || isUnfolded}
      onToggle={(event) => setIsUnfolded(event.currentTarget.open)}
    >
      <summary className="flex list-none items-center gap-2 rounded-sm py-3 text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 text-muted transition-transform group-open:rotate-90"
        />
        <span className="font-medium">{title}</span>
        <span className="truncate text-muted group-open:hidden">{note}</span>
      </summary>
      {children}
    </details>
  );
}
