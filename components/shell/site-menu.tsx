"use client";

import { Menu } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Link } from "@/components/ui/link";

/** The links of the header on a phone, in a menu. */
export function SiteMenu() {
  const t = useTranslations("shell");
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={t("menu")}
        className="grid size-9.5 place-items-center rounded-md border border-line-strong bg-card sm:hidden"
      >
        <Menu aria-hidden className="size-4" />
      </button>
      <nav
        id={id}
        popover="auto"
        aria-label={t("menu")}
        onClick={({ currentTarget }) => currentTarget.hidePopover()}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.hidePopover()}
        className="inset-auto top-16 right-5 m-0 min-w-44 rounded-lg border bg-card p-1 text-ink shadow-float"
      >
        {(["pricing", "models", "docs"] as const).map((name) => (
          <Link
            key={name}
            href={`/${name}`}
            className="block rounded-sm px-3 py-2.5 text-lg hover:bg-wash"
          >
            {t(name)}
          </Link>
        ))}
      </nav>
    </>
  );
}
