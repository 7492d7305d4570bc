import { useTranslations } from "next-intl";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { useHydrated } from "@/lib/client/hydrated";
import type { ReferralLine } from "@/lib/contract/referral";

const tones = { waiting: "held", rewarded: "ok", not_counted: "plain" } as const;

interface ReferralLinesProps {
  /** The newest of them. */
  lines: readonly ReferralLine[];
  count: number;
}

/** Who topped up after coming by the link: only when, and what it brought. */
export function ReferralLines({ lines, count }: ReferralLinesProps) {
  const ui = useTranslations("ui");
  const t = useTranslations("points.referral");
  // The server does not know the reader's time.
  const isHydrated = useHydrated();
  if (lines.length === 0) return null;
  return (
    <ul className="divide-y border-t" aria-label={t("lines")}>
      {lines.map(({ at, points, state }) => (
        <li key={`${at} ${state}`} className="flex items-center gap-3 px-5 py-2.5 text-sm">
          <span className="min-w-0 flex-1">
            {t("toppedUp")} {isHydrated ? <RelativeTime at={at} /> : null}
          </span>
          <Pill tone={tones[state]}>{t(`states.${state}`)}</Pill>
          <PointsText
            value={state === "not_counted" ? "0" : points}
            isSigned={state === "rewarded"}
            className="w-20 text-right"
          />
        </li>
      ))}
      {count > lines.length ? (
        <li className="px-5 py-2.5 text-muted text-sm">
          {ui("andMore", { count: count - lines.length })}
        </li>
      ) : null}
    </ul>
  );
}
