"use client";

import { useTranslations } from "next-intl";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import type { LiveSettingView } from "@/lib/contract/operator-settings";

/** What is in force, where it comes from, and what it would be otherwise. */
export function SettingWords({ setting }: { setting: LiveSettingView }) {
  const t = useTranslations("operator.settings");
  const { name, source } = setting;
  const otherwise =
    setting.otherwise === "none" || setting.otherwise === ""
      ? t("none")
      : name === "sign_up"
        ? t(`modes.${setting.otherwise as "open"}`)
        : name === "status_page"
          ? t(`statusPage.${setting.otherwise === "everyone" ? "everyone" : "operators"}`)
          : setting.otherwise;
  return (
    <div>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{t(`names.${name}`)}</span>
        <Pill tone={source === "here" ? "ok" : "plain"}>{t(`sources.${source}`)}</Pill>
      </p>
      <p className="mt-0.5 max-w-[60ch] text-muted text-sm">{t(`notes.${name}`)}</p>
      {source === "here" && setting.updatedAt && setting.updatedBy ? (
        <p className="wrap-anywhere mt-0.5 text-muted text-sm">
          {t("setBy", { who: setting.updatedBy })} · <RelativeTime at={setting.updatedAt} /> ·{" "}
          {t("otherwise", { value: otherwise })}
        </p>
      ) : null}
    </div>
  );
}
