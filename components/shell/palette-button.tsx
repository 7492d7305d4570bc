"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { showOverlay } from "./palette-state";

/** Opens the command palette and shows its shortcut. */
export function PaletteButton() {
  const t = useTranslations("palette");
  return (
    <button
      type="button"
      onClick={() => showOverlay("palette")}
      className="mb-3 flex items-center gap-2 rounded-md border bg-card px-2 py-1.5 text-muted text-sm hover:border-line-strong hover:text-ink max-md:hidden"
    >
      <Search aria-hidden className="size-4" />
      <span className="flex-1 text-left">{t("goTo")}</span>
      <kbd className="text-faint text-xs">{t("keys")}</kbd>
    </button>
  );
}
