import { useTranslations } from "next-intl";
import { boardTable } from "@/components/catalog/board-table";
import { BoardHead, BoardRow, hasAny } from "@/components/catalog/model-board";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import { Table, TableBody } from "@/components/ui/table";
import { offeredModels } from "@/lib/catalog/models";
import type { ModelFigures } from "@/lib/contract/model-figures";
import type { ModelPriceView } from "@/lib/contract/prices";

interface ModelsAtWorkProps {
  prices: readonly ModelPriceView[];
  figures: ReadonlyMap<string, ModelFigures>;
}

/** There may be thousands; the page of the models finds the others. */
const SHOWN_MAX = 20;

/** Models with their success and speed of the last days, and their prices. */
export function ModelsAtWork({ prices, figures }: ModelsAtWorkProps) {
  const t = useTranslations("modelBoard");
  const hasFigures = hasAny(figures);
  return (
    <section aria-labelledby="board" className="mt-20">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="board" className="text-2xl">
          {t(hasFigures ? "title" : "titleOnly")}
        </h2>
        <Link href="/models" className={linkClassName}>
          {t("all")}
        </Link>
      </div>
      <Card>
        <Table labelledBy="board" columns="many" className={boardTable}>
          <BoardHead hasFigures={hasFigures} />
          <TableBody>
            {offeredModels()
              .slice(0, SHOWN_MAX)
              .map((model) => (
                <BoardRow
                  key={model.id}
                  model={model}
                  price={prices.find((each) => each.model === model.id)}
                  figures={figures.get(model.id)}
                  hasFigures={hasFigures}
                  hasText={false}
                />
              ))}
          </TableBody>
        </Table>
      </Card>
    </section>
  );
}
