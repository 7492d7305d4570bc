import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";

const SHOWN_MAX = 5;

/** What customers could order and the rates say no price for; nothing where there is none. */
export function Gaps({ gaps }: { gaps: readonly string[] }) {
  const t = useTranslations("operator.models");
  const ui = useTranslations("ui");
  if (gaps.length === 0) return null;
  const more = gaps.length - SHOWN_MAX;
  return (
    <Notice tone="note">
      <p>{t("gaps")}</p>
      <ul className="num mt-1">
        {gaps.slice(0, SHOWN_MAX).map((gap) => (
          <li key={gap} className="wrap-anywhere">
            {gap}
          </li>
        ))}
        {more > 0 ? <li className="font-sans">{ui("andMore", { count: more })}</li> : null}
      </ul>
    </Notice>
  );
}
