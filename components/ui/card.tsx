import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";
import { Link } from "./link";

interface CardProps extends ComponentProps<"section"> {
  /** One of several of a kind: an article, since a page's landmarks have a name each. */
  isOneOfMany?: boolean;
}

export function Card({ isOneOfMany = false, className, ...rest }: CardProps) {
  const Part = isOneOfMany ? "article" : "section";
  return <Part className={cn("rounded-lg border bg-card shadow-lift", className)} {...rest} />;
}

interface CardHeadProps {
  id: string;
  title: string;
  /** The page's title says the same: only screen readers read this one. */
  isPageTitle?: boolean | undefined;
  note?: ReactNode;
  children?: ReactNode;
}

/**
 * The head of a card whose body extends to its edges: a title, a note below it, actions at the
 * right.
 */
export function CardHead({ id, title, isPageTitle, note, children }: CardHeadProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 pt-4.5 pb-3">
      <div>
        <h2 id={id} className={isPageTitle ? "sr-only" : "text-lg"}>
          {title}
        </h2>
        {note ? <p className="text-sm text-muted">{note}</p> : null}
      </div>
      {children ? <div className="flex flex-wrap items-center gap-2">{children}</div> : null}
    </div>
  );
}

interface PartHeadProps extends Pick<ComponentProps<typeof Link>, "href"> {
  id: string;
  title: string;
  /** The text of the link. */
  all: string;
  className?: string;
}

/** The head of a card that shows a part of what another page shows: a title, and a link to that page. */
export function PartHead({ id, title, href, all, className }: PartHeadProps) {
  return (
    <div className={cn("flex items-baseline justify-between gap-4", className)}>
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <Link
        href={href}
        className="text-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
      >
        {all}
      </Link>
    </div>
  );
}
