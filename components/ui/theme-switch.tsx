"use client";

import { useTranslations } from "next-intl";
import { useTheme } from "next-themes";
import { Segmented } from "@/components/ui/segmented";
import { useHydrated } from "@/lib/client/hydrated";

const themes = ["system", "light", "dark"] as const;

/** The choice is stored in the browser, so none is marked until hydration. */
export function ThemeSwitch({ className }: { className?: string }) {
  const t = useTranslations("shell");
  const { theme, setTheme } = useTheme();
  const isHydrated = useHydrated();
  return (
    <Segmented
      label={t("appearance")}
      options={themes.map((value) => ({ value, label: t(`themes.${value}`) }))}
      value={isHydrated ? themes.find((value) => value === theme) : undefined}
      onChange={setTheme}
      className={className}
    />
  );
}
