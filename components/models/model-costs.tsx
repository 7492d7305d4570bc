import { useFormatter, useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { linkClassName } from "@/components/ui/rich-text";
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from "@/components/ui/table";
import { sizeText } from "@/lib/catalog/image-sizes";
import type { Model } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import type { ModelPriceView } from "@/lib/contract/prices";
import { hasTokenRate } from "@/lib/contract/units";
import { ordinaryRequests } from "@/lib/pricing/ordinary-requests";
import type { TypicalRequest } from "@/lib/pricing/typical";

/** The cost of a few requests to the model, from the function that computes charges. */
export function ModelCosts({ model, price }: { model: Model; price: ModelPriceView }) {
  const t = useTranslations("modelPage");
  const format = useFormatter();
  const hasTokens = hasTokenRate(price.rates);
  return (
    <section aria-labelledby="costs" className="mt-10">
      <h2 id="costs" className="text-xl">
        {t("costs")}
      </h2>
      <p className="mt-1 mb-3 text-muted text-sm">{price.own ? t("costsOwn") : t("costsNote")}</p>
      <Card>
        <Table labelledBy="costs" columns="few">
          <TableHead>
            <ColumnHead>{t("request")}</ColumnHead>
            {hasTokens ? <ColumnHead isNumber>{t("tokens")}</ColumnHead> : null}
            <ColumnHead isNumber>{t("points")}</ColumnHead>
          </TableHead>
          <TableBody>
            {ordinaryRequests(model).map(({ request, usage }) => {
              const cost = costOf(price, usage);
              return (
                <Row key={JSON.stringify(request)}>
                  <Cell>
                    <RequestText request={request} />
                  </Cell>
                  {hasTokens ? (
                    <Cell isNumber label={t("tokens")} className="text-muted">
                      {format.number(usage.inputTokens + usage.outputTokens)}
                    </Cell>
                  ) : null}
                  <Cell isNumber label={t("points")}>
                    {cost ? <PointsText value={cost.own} /> : null}
                  </Cell>
                </Row>
              );
            })}
          </TableBody>
        </Table>
      </Card>
      <p className="mt-2.5 text-muted text-sm">
        {t.rich("calculate", {
          link: (text) => (
            <Link
              href={`/pricing?family=${model.family}`}
              className={linkClassName}
              prefetch={false}
            >
              {text}
            </Link>
          ),
        })}
      </p>
    </section>
  );
}

function RequestText({ request }: { request: TypicalRequest }) {
  const t = useTranslations("modelPage");
  if (request.family === "text")
    return t("textRequest", { input: request.inputTokens, output: request.outputTokens });
  if (request.family === "image") {
    const size = t("imageRequest", { size: sizeText(request.size) });
    return request.quality === undefined
      ? size
      : t("imageOfQuality", { size, quality: request.quality });
  }
  return t("videoRequest", {
    seconds: request.seconds,
    resolution: request.resolution,
    ratio: request.ratio,
  });
}
