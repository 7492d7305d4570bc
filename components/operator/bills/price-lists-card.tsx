import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RateChanges } from "@/components/catalog/rate-lines";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, HiddenHead, Row } from "@/components/ui/table";
import { showToast } from "@/components/ui/toast";
import { priceListsQuery } from "@/lib/client/operator-price-lists";
import { upstreamMoney } from "@/lib/client/points-display";
import { useOperatorWrite } from "@/lib/client/write";
import { type PriceLists, upstreamEndpoints } from "@/lib/contract/operator-upstream";
import { useOperatorFailureText } from "../operator-failure";
import { PriceListDialog } from "./price-list-dialog";

type Difference = PriceLists["differences"][number];

/** A list may have 64 rates for a model. */
const RATES_SHOWN = 8;

/** What the price lists of upstreams ask that is not noted, each to be accepted. */
export function PriceListsCard() {
  const t = useTranslations("operator.bills.priceLists");
  const query = useQuery(priceListsQuery);
  const [isSetting, setIsSetting] = useState(false);
  return (
    <>
      <ListCard
        id="price-lists"
        title={t("title")}
        note={t("note")}
        query={query}
        empty={t("none")}
        columns={
          <>
            <ColumnHead>{t("model")}</ColumnHead>
            <ColumnHead isNumber>{t("asks")}</ColumnHead>
            <ColumnHead>{t("since")}</ColumnHead>
            <HiddenHead>{t("accept")}</HiddenHead>
          </>
        }
        rows={(query.data?.differences ?? []).map((difference) => (
          <DifferenceRow
            key={`${difference.channelId} ${difference.model}`}
            difference={difference}
          />
        ))}
      >
        <div className="flex flex-wrap items-center justify-between gap-3 border-t px-5 py-3.5">
          <ul className="min-w-0 text-muted text-sm">
            {(query.data?.lists ?? []).map(({ channelId, channel, format, readAt, failed }) => (
              <li key={channelId} className="wrap-anywhere">
                {t("readFrom", { channel, format })} ·{" "}
                {failed !== null ? (
                  <span className="text-held-ink">
                    {t.rich("failed", { reason: () => <span translate="no">{failed}</span> })}
                  </span>
                ) : readAt === null ? (
                  t("waiting")
                ) : (
                  <RelativeTime at={readAt} />
                )}
              </li>
            ))}
          </ul>
          <Button onClick={() => setIsSetting(true)}>{t("set")}</Button>
        </div>
      </ListCard>
      {isSetting ? <PriceListDialog onClose={() => setIsSetting(false)} /> : null}
    </>
  );
}

function DifferenceRow({ difference }: { difference: Difference }) {
  const t = useTranslations("operator.bills.priceLists");
  const failureText = useOperatorFailureText();
  const write = useOperatorWrite(upstreamEndpoints.acceptUpstreamRates);
  const { channelId, channel, model, currency, asked, noted, digest, since } = difference;
  const accept = () =>
    write.mutate(
      { body: { channelId, model, digest } },
      {
        onSuccess: () => showToast(t("accepted", { model })),
        onError: (error) => showToast(failureText(error), "bad"),
      },
    );
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <code className="wrap-anywhere">{model}</code>
        <span className="block text-muted text-sm">{channel}</span>
      </Cell>
      <Cell isNumber label={t("asks")}>
        <RateChanges
          before={noted ?? []}
          after={asked}
          most={RATES_SHOWN}
          amountText={(amount) => `${upstreamMoney(amount)} ${currency}`}
        />
      </Cell>
      <Cell label={t("since")} className="text-muted text-sm">
        <RelativeTime at={since} />
      </Cell>
      <Cell className="rows:text-right">
        <Button isBusy={write.isPending} onClick={accept}>
          {t("accept")}
        </Button>
      </Cell>
    </Row>
  );
}
