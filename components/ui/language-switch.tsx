"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useTransition } from "react";
import { Segmented } from "@/components/ui/segmented";
import { LOCALE_COOKIE, locales } from "@/messages/locales";

const YEAR_SECONDS = 31_536_000;

/** Each language in its own name. */
export const languageNames = { en: "English", "zh-CN": "中文" };

export function useLanguage() {
  const router = useRouter();
  const locale = useLocale();
  const [isChanging, startChange] = useTransition();
  const change = (next: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = `${LOCALE_COOKIE}=${next}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
    startChange(() => router.refresh());
  };
  return { locale, change, isChanging };
}

export function LanguageSwitch({ className }: { className?: string }) {
  const t = useTranslations("shell");
  const { locale, change } = useLanguage();
  return (
    <Segmented
      label={t("language")}
      options={locales.map((value) => ({ value, label: languageNames[value] }))}
      value={locale}
      onChange={change}
      className={className}
    />
  );
}
