import { useTranslations } from "next-intl";
import { useState } from "react";
import { RateLines } from "@/components/catalog/rate-lines";
import { ListCard } from "@/components/lists/list-card";
import { ExactTime } from "@/components/ui/exact-time";
import { Options, Select } from "@/components/ui/input";
import { Pill } from "@/components/ui/pill";
import { Cell, ColumnHead, Row } from "@/components/ui/table";
import { allModels } from "@/lib/catalog/models";
import { usePriceVersions } from "@/lib/client/operator-prices";
import { useActorText } from "../actor-text";
import { type ShownVersion, shownVersions } from "./shown-versions";

/** The rates that a row shows at once; a price may have 64. */
const RATES_SHOWN = 8;

/** All past, current and future prices. */
export function VersionsCard() {
  const t = useTranslations("operator.prices");
  const [model, setModel] = useState<string | null>(null);
  const query = usePriceVersions(model);
  const versions = query.data?.pages.flatMap((page) => page.versions) ?? [];
  return (
    <ListCard
      id="versions"
      title={t("history")}
      note={t("historyNote")}
      aside={
        <Select
          aria-label={t("model")}
          value={model ?? ""}
          onChange={(event) => setModel(event.target.value || null)}
        >
          <option value="">{t("allModels")}</option>
          <Options of={allModels().map(({ id }) => id)} />
        </Select>
      }
      query={query}
      columns={
        <>
          <ColumnHead>{t("from")}</ColumnHead>
          <ColumnHead>{t("model")}</ColumnHead>
          <ColumnHead isNumber>{t("price")}</ColumnHead>
          <ColumnHead>{t("setBy")}</ColumnHead>
        </>
      }
      rows={shownVersions(versions).map((each) => <VersionRow key={each.version.id} {...each} />)}
    />
  );
}

function VersionRow({ version, isCancelled }: ShownVersion) {
  const t = useTranslations("operator.prices");
  const actorText = useActorText();
  return (
    <Row>
      <Cell className="whitespace-nowrap">
        <ExactTime at={version.effectiveAt} />
      </Cell>
      <Cell label={t("model")} className="font-medium">
        {version.model} {isCancelled ? <Pill>{t("cancelled")}</Pill> : null}
      </Cell>
      <Cell isNumber label={t("price")}>
        <RateLines rates={version.rates} most={RATES_SHOWN} />
      </Cell>
      <Cell label={t("setBy")} className="wrap-anywhere text-muted text-sm">
        {actorText(version.setBy)}
      </Cell>
    </Row>
  );
}
