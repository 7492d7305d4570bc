import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

interface CollapsibleSectionProps {
  title: string;
  /** Shown beside the title while collapsed: a summary of the values inside. */
  note: string;
  /** Opens the section for an invalid field. It stays open until the user closes it. */
  isOpen: boolean;
  children: ReactNode;
}

/** A collapsible section for fields that most users leave unchanged. */
export function CollapsibleSection({ title, note, isOpen, children }: CollapsibleSectionProps) {
  const [isExpanded, setIsExpanded] = useState(false);
  return (
    <details
      className="group rounded-md border px-4 open:pb-4"
      open={isOpen || isExpanded}
      onToggle={(event) => setIsExpanded(event.currentTarget.open)}
    >
      <summary className="flex list-none items-baseline gap-2 rounded-sm py-3 text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 translate-y-0.5 text-muted transition-transform group-open:rotate-90"
        />
        <span className="shrink-0 font-medium">{title}</span>
        <span className="min-w-0 grow text-muted group-open:hidden">{note}</span>
      </summary>
      {children}
    </details>
  );
}
