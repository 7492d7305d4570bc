import { CircleAlert, Info, TriangleAlert, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { cn } from "./class-names";

const tones = {
  bad: { icon: CircleAlert, box: "border-bad/45 bg-bad/8", ink: "text-bad" },
  warning: { icon: TriangleAlert, box: "border-held/45 bg-held/10", ink: "text-held-ink" },
  note: { icon: Info, box: "bg-wash", ink: "text-muted" },
};

interface NoticeLineProps {
  tone: keyof typeof tones;
  /** Without links: it is a button, which shows all of it where the line is too short. */
  children: ReactNode;
  /** A link, at the end of the line. */
  action?: ReactNode;
  onDismiss?: (() => void) | undefined;
  role?: "alert" | "status";
  /** Whether all of it is shown at first. */
  isWhole?: boolean;
  className?: string;
}

/** A message above the page, in one line. */
export function NoticeLine(props: NoticeLineProps) {
  const { tone, children, action, onDismiss, role, isWhole = false, className } = props;
  const t = useTranslations("ui");
  const [isOpen, setIsOpen] = useState(isWhole);
  const { icon: Icon, box, ink } = tones[tone];
  return (
    <div
      role={role}
      data-notice
      className={cn(
        "flex items-start gap-2.5 rounded-md border px-3 text-sm",
        onDismiss && "pr-1",
        box,
        className,
      )}
    >
      <Icon aria-hidden className={cn("mt-2.5 size-4 shrink-0", ink)} />
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className={cn(
          "min-w-0 rounded-sm py-2 text-left",
          isOpen ? "wrap-anywhere" : "truncate",
          action ? "" : "flex-1",
        )}
      >
        {children}
      </button>
      {action ? (
        <span className="flex-1 whitespace-nowrap py-2 [&_a]:rounded-sm [&_a]:font-medium [&_a]:underline [&_a]:decoration-line-strong [&_a]:underline-offset-3 hover:[&_a]:decoration-ink">
          {action}
        </span>
      ) : null}
      {onDismiss ? (
        <button
          type="button"
          aria-label={t("dismiss")}
          onClick={onDismiss}
          className="my-1 grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-card hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      ) : null}
    </div>
  );
}
