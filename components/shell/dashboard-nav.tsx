"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { useRole } from "@/lib/client/shown-account";
import { MorePagesSheet } from "./more-pages-sheet";
import { operatorPages } from "./operator-pages";
import { pagesFor } from "./pages";

const place =
  "flex flex-1 flex-col items-center gap-1 px-2 py-2.5 text-xs md:flex-none md:flex-row md:gap-2.5 md:rounded-md md:px-2 md:py-1.75 md:text-base";

interface DashboardNavProps {
  area?: "dashboard" | "operator";
  /** Shown above the other pages on a phone. */
  person: ReactNode;
}

/** The side bar; on a phone a bottom bar with the main pages and a button for the others. */
export function DashboardNav({ area = "dashboard", person }: DashboardNavProps) {
  const t = useTranslations("shell");
  const path = usePathname();
  const role = useRole();
  const pages = area === "operator" ? operatorPages : pagesFor(role);
  return (
    <nav
      aria-label={t("dashboardNavigation")}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-paper pb-[env(safe-area-inset-bottom)] md:static md:flex-col md:gap-0.5 md:border-0 md:pb-0"
    >
      {pages.map(({ href, name, Icon, isOnPhone }) => {
        const isHere = path === href || (href !== "/admin" && path.startsWith(`${href}/`));
        return (
          <Link
            key={href}
            href={href}
            aria-current={isHere ? "page" : undefined}
            className={cn(
              place,
              isHere ? "font-medium text-ink md:bg-wash" : "text-muted hover:text-ink",
              !isOnPhone && "max-md:hidden",
            )}
          >
            <Icon aria-hidden className={cn("size-4.5 md:size-4", isHere && "text-signal-ink")} />
            <span className="max-md:hidden">{t(name)}</span>
            <span className="md:hidden">
              {t.has(`onPhone.${name as "points"}`) ? t(`onPhone.${name as "points"}`) : t(name)}
            </span>
          </Link>
        );
      })}
      <MorePagesSheet
        pages={pages.filter(({ isOnPhone }) => !isOnPhone)}
        person={person}
        className={cn(place, "md:hidden")}
      />
    </nav>
  );
}
