import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import {
  Cell,
  ColumnHead,
  NumberCell,
  Row,
  Table,
  TableBody,
  TableHead,
} from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { millionthsText } from "@/lib/client/money-text";
import { readPoints } from "@/lib/client/points-display";
import type { MoneyView } from "@/lib/contract/operator-money";

/** Charges compared with their cost at the recorded upstream prices. */
export function CostCard({ money }: { money: MoneyView | undefined }) {
  const t = useTranslations("operator.money");
  return (
    <Card aria-labelledby="cost">
      <CardHead
        id="cost"
        title={t("cost")}
        note={t.rich("costNote", {
          prices: (text) => (
            <Link className="underline" href="/admin/prices">
              {text}
            </Link>
          ),
        })}
      />
      {money === undefined ? <Skeleton className="m-5 h-24" /> : null}
      {money?.models.length === 0 ? (
        <p className="border-t px-5 py-8 text-center text-muted">{t("noCharges")}</p>
      ) : null}
      {money && money.models.length > 0 ? <Models models={money.models} /> : null}
      {money && money.channels === null ? (
        <p className="border-t px-5 py-4 text-muted text-sm">{t("tooMany")}</p>
      ) : null}
      {money?.channels && money.channels.length > 0 ? <Channels channels={money.channels} /> : null}
    </Card>
  );
}

type ModelSums = MoneyView["models"][number];
const modelSums = ["requests", "tokens", "charged", "worth", "upstream", "margin"] as const;
const modelValues = {
  model: ({ model }: ModelSums) => model,
  requests: ({ requests }: ModelSums) => requests,
  tokens: ({ inputTokens, outputTokens }: ModelSums) => inputTokens + outputTokens,
  charged: ({ charged }: ModelSums) => readPoints(charged),
  worth: ({ income }: ModelSums) => income && BigInt(income),
  upstream: ({ cost }: ModelSums) => cost && BigInt(cost),
  margin: ({ marginPerMille }: ModelSums) => marginPerMille,
};

function Models({ models }: { models: MoneyView["models"] }) {
  const t = useTranslations("operator.money");
  const format = useFormatter();
  const locale = useLocale();
  const text = (amount: string | null, currency: string | null) =>
    amount === null || currency === null ? "–" : millionthsText(amount, currency, locale);
  const { rows, sort } = useSorted(models, modelValues);
  return (
    <Table labelledBy="cost" columns="many" className="border-t">
      <TableHead>
        <ColumnHead {...sort("model")}>{t("model")}</ColumnHead>
        {modelSums.map((name) => (
          <ColumnHead key={name} isNumber {...sort(name)}>
            {t(name)}
          </ColumnHead>
        ))}
      </TableHead>
      <TableBody>
        {rows.map((each) => (
          <Row key={each.model}>
            <Cell className="font-medium cards:pb-1.5">{each.model}</Cell>
            <NumberCell label={t("requests")}>{format.number(each.requests)}</NumberCell>
            <Cell isNumber label={t("tokens")}>
              {format.number(each.inputTokens + each.outputTokens)}
            </Cell>
            <NumberCell label={t("charged")}>
              <PointsText value={each.charged} />
            </NumberCell>
            <NumberCell label={t("worth")}>{text(each.income, each.currency)}</NumberCell>
            <NumberCell label={t("upstream")}>{text(each.cost, each.currency)}</NumberCell>
            <Cell
              isNumber
              label={t("margin")}
              className={
                each.marginPerMille !== null && each.marginPerMille < 0 ? "text-bad" : undefined
              }
            >
              {each.marginPerMille === null
                ? "–"
                : format.number(each.marginPerMille / 1000, {
                    style: "percent",
                    maximumFractionDigits: 1,
                  })}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function Channels({ channels }: { channels: NonNullable<MoneyView["channels"]> }) {
  const t = useTranslations("operator.money");
  const format = useFormatter();
  return (
    <>
      <h3 id="by-channel" className="border-t px-5 pt-4 pb-2 font-medium text-sm">
        {t("byChannel")}
      </h3>
      <Table labelledBy="by-channel" className="border-t">
        <TableHead>
          <ColumnHead>{t("channel")}</ColumnHead>
          <ColumnHead isNumber>{t("requests")}</ColumnHead>
          <ColumnHead isNumber>{t("tokensIn")}</ColumnHead>
          <ColumnHead isNumber>{t("tokensOut")}</ColumnHead>
          <ColumnHead isNumber>{t("charged")}</ColumnHead>
        </TableHead>
        <TableBody>
          {channels.map((each) => (
            <Row key={each.channelId}>
              <Cell className="wrap-anywhere cards:pb-1.5">
                {each.name ?? <code>{each.channelId}</code>}
              </Cell>
              <NumberCell label={t("requests")}>{format.number(each.requests)}</NumberCell>
              <NumberCell label={t("tokensIn")}>{format.number(each.inputTokens)}</NumberCell>
              <NumberCell label={t("tokensOut")}>{format.number(each.outputTokens)}</NumberCell>
              <NumberCell label={t("charged")}>
                <PointsText value={each.charged} />
              </NumberCell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </>
  );
}
