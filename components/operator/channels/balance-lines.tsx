import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { RelativeTime } from "@/components/ui/relative-time";
import { upstreamBalancesQuery } from "@/lib/client/operator-balances";
import { upstreamMoney } from "@/lib/client/points-display";

/** What is left of our own account at a channel's upstream, for each credential; nothing where it is not known. */
export function BalanceLines({ channelId }: { channelId: string }) {
  const t = useTranslations("operator.channels.balance");
  const { data } = useQuery(upstreamBalancesQuery);
  const own = (data?.balances ?? []).filter((each) => each.channelId === channelId);
  return own.map(({ credential, balance, currency, readAt, alarmBelow, lowSince, failed }) => {
    if (balance === null || currency === null || readAt === null)
      return alarmBelow === null || credential !== null ? null : (
        <span key="" className="wrap-anywhere block text-held-ink text-sm">
          {t("unknown", { below: [upstreamMoney(alarmBelow), currency].filter(Boolean).join(" ") })}
          {failed === null ? null : (
            <span className="text-muted" translate="no">
              {` · ${failed}`}
            </span>
          )}
        </span>
      );
    const amount = `${upstreamMoney(balance)} ${currency}`;
    return (
      <span
        key={credential ?? ""}
        className={`block text-sm ${lowSince === null ? "text-muted" : "text-bad"}`}
      >
        {credential === null ? t("left", { amount }) : t("leftOf", { amount, credential })}
        {alarmBelow === null ? null : ` (${t("alarm", { below: upstreamMoney(alarmBelow) })})`}{" "}
        <RelativeTime at={readAt} />
      </span>
    );
  });
}
