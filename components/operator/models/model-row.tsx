import { useTranslations } from "next-intl";
import { RateLines } from "@/components/catalog/rate-lines";
import { FamilyTag } from "@/components/requests/family-tag";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import { Cell, NumberCell, Row } from "@/components/ui/table";
import { useListText } from "@/components/ui/use-list-text";
import { modelAddress } from "@/lib/client/operator-models";
import type { ModelRowView } from "@/lib/contract/operator-models";
import { ModelState } from "./model-state";

/** The rates that a row shows; a model may have 64. */
const RATES_SHOWN = 3;

export function ModelRow({ model }: { model: ModelRowView }) {
  const listed = useListText();
  const t = useTranslations("operator.models");
  const { id, aliases, family, rates, channels, version } = model;
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
          <FamilyTag family={family}>
            <Link
              href={modelAddress(id)}
              prefetch={false}
              className={`wrap-anywhere font-medium ${linkClassName}`}
            >
              {id}
            </Link>
          </FamilyTag>
          {aliases.length > 0 ? (
            <code className="wrap-anywhere text-muted text-xs">{listed(aliases)}</code>
          ) : null}
        </span>
      </Cell>
      <Cell label={t("state")}>
        <ModelState {...model} />
      </Cell>
      <Cell isNumber label={t("price")}>
        {rates.length === 0 ? (
          <span className="font-sans text-muted">{t("noPrice")}</span>
        ) : (
          <RateLines rates={rates} isNamed most={RATES_SHOWN} />
        )}
      </Cell>
      <Cell isNumber label={t("channels")}>
        <span className={channels === 0 ? "text-muted" : ""}>{channels}</span>
      </Cell>
      <NumberCell label={t("version")}>{version}</NumberCell>
    </Row>
  );
}
