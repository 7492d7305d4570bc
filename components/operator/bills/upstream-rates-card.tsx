import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RateLines } from "@/components/catalog/rate-lines";
import { FilterChoice } from "@/components/lists/filter-choice";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, Row } from "@/components/ui/table";
import { useUpstreamRates } from "@/lib/client/operator-bills";
import { channelsQuery } from "@/lib/client/operator-channels";
import { upstreamMoney } from "@/lib/client/points-display";
import { UpstreamRatesDialog } from "./upstream-rates-dialog";

/** What a channel's upstream asks, by model, the newest first. The URL keeps the channel. */
export function UpstreamRatesCard() {
  const t = useTranslations("operator.bills");
  const listed = useQuery(channelsQuery);
  const channels = listed.data?.channels ?? [];
  const chosen = useSearchParams().get("channel") ?? channels[0]?.id ?? null;
  const query = useUpstreamRates(chosen);
  const [isNoting, setIsNoting] = useState(false);
  return (
    <>
      <ListCard
        id="upstream-rates"
        title={t("rates")}
        note={t("ratesNote")}
        // Without a channel nothing is asked for.
        query={chosen === null ? listed : query}
        empty={t("noRates")}
        columns={
          <>
            <ColumnHead>{t("model")}</ColumnHead>
            <ColumnHead>{t("from")}</ColumnHead>
            <ColumnHead isNumber>{t("asks")}</ColumnHead>
          </>
        }
        rows={(query.data?.rates ?? []).map(({ model, effectiveAt, currency, rates }) => (
          <Row key={`${model} ${effectiveAt}`}>
            <Cell className="cards:pb-1.5">
              <code className="wrap-anywhere">{model}</code>
            </Cell>
            <Cell label={t("from")} className="text-muted text-sm">
              {Date.parse(effectiveAt) === 0 ? t("always") : <RelativeTime at={effectiveAt} />}
            </Cell>
            <Cell isNumber label={t("asks")}>
              <RateLines
                isNamed
                rates={rates}
                amountText={(amount) => `${upstreamMoney(amount)} ${currency}`}
              />
            </Cell>
          </Row>
        ))}
      >
        <div className="flex flex-wrap items-center gap-3 border-t px-5 py-3.5">
          <FilterChoice
            label={t("channel")}
            name="channel"
            value={chosen}
            any={t("choose")}
            options={channels.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Button disabled={chosen === null} onClick={() => setIsNoting(true)}>
            {t("noteRates")}
          </Button>
        </div>
      </ListCard>
      {isNoting && chosen !== null ? (
        <UpstreamRatesDialog channelId={chosen} onClose={() => setIsNoting(false)} />
      ) : null}
    </>
  );
}
