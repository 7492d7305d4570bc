"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";

interface GuideNavProps {
  label: string;
  /** Above the list. */
  search: ReactNode;
  links: readonly { path: string; name: string; isNested: boolean }[];
}

/**
 * The list of documentation pages: a side bar; on a phone a collapsed list under the current page's
 * name.
 */
export function GuideNav({ label, search, links }: GuideNavProps) {
  const here = usePathname();
  const list = (
    <ul className="grid gap-0.5">
      {links.map(({ path, name, isNested }) => (
        <li key={path}>
          <Link
            href={path}
            aria-current={path === here ? "page" : undefined}
            className={cn(
              "block rounded-md py-1.5 pr-2.5",
              isNested ? "pl-5.5 text-sm" : "pl-2.5",
              path === here
                ? "bg-signal-wash font-medium text-signal-ink"
                : "text-muted hover:bg-wash hover:text-ink",
            )}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
  return (
    <div className="self-start lg:sticky lg:top-6">
      {search}
      <nav aria-label={label} className="max-lg:hidden">
        {list}
      </nav>
      <nav aria-label={label} className="lg:hidden">
        <details key={here} className="rounded-lg border bg-card px-2.5 py-1">
          <summary className="rounded-sm px-2.5 py-1.5 font-medium">
            {links.find(({ path }) => path === here)?.name ?? label}
          </summary>
          <div className="mt-1 border-t py-2">{list}</div>
        </details>
      </nav>
    </div>
  );
}
