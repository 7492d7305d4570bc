import { useTranslations } from "next-intl";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { tags } from "@/components/ui/rich-text";
import type { LiveSettingView } from "@/lib/contract/operator-settings";
import { secondFactorRules, signUpModes } from "@/lib/contract/states";
import { useActorText } from "../actor-text";
import { yesOrNo } from "./setting-rules";

/** What is in force, where it comes from, and what it would be otherwise. */
export function SettingWords({ setting }: { setting: LiveSettingView }) {
  const t = useTranslations("operator.settings");
  const { name, source } = setting;
  const otherwise = useOtherwise(setting);
  const actorText = useActorText();
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{t(`names.${name}`)}</span>
        {source === "default" ? null : (
          <Pill tone={source === "here" ? "ok" : "plain"}>{t(`sources.${source}`)}</Pill>
        )}
        <code translate="no" className="wrap-anywhere text-faint text-xs">
          {name}
        </code>
      </p>
      <p className="mt-0.5 max-w-[60ch] text-muted text-sm">{t.rich(`notes.${name}`, tags)}</p>
      {source === "here" && setting.updatedAt && setting.updatedBy ? (
        <p className="wrap-anywhere mt-0.5 text-muted text-sm">
          {t("setBy", { who: actorText(setting.updatedBy) })} ·{" "}
          <RelativeTime at={setting.updatedAt} /> · {t("otherwise", { value: otherwise })}
        </p>
      ) : null}
    </div>
  );
}

/** What would be in force without the setting, in words. */
function useOtherwise({ name, otherwise }: LiveSettingView): string {
  const t = useTranslations("operator.settings");
  if (otherwise === "none") return t("noLimit");
  if (otherwise === "") return t("none");
  if (yesOrNo.includes(name)) return t(otherwise === "yes" ? "yes" : "no");
  if (name === "sign_up") {
    const mode = signUpModes.find((each) => each === otherwise);
    return mode ? t(`modes.${mode}`) : otherwise;
  }
  if (name === "second_factor") {
    const rule = secondFactorRules.find((each) => each === otherwise);
    return rule ? t(`factors.${rule}`) : otherwise;
  }
  if (name === "status_page")
    return t(`statusPage.${otherwise === "everyone" ? "everyone" : "operators"}`);
  return otherwise;
}
