import { useLocale, useTranslations } from "next-intl";
import { ModelLimits } from "@/components/catalog/model-limits";
import { FamilyTag } from "@/components/requests/family-tag";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import {
  Cell,
  ColumnHead,
  GroupRow,
  Row,
  Table,
  TableBody,
  TableHead,
} from "@/components/ui/table";
import { type Model, offeredModels } from "@/lib/catalog/models";
import { modelText } from "@/lib/client/model-text";
import { families } from "@/lib/contract/states";

/** Every model of the catalogue with its limits. */
export function ModelTable({ labelledBy }: { labelledBy: string }) {
  const t = useTranslations("modelPage");
  return (
    <Card>
      <Table labelledBy={labelledBy}>
        <TableHead>
          <ColumnHead>{t("model")}</ColumnHead>
          <ColumnHead>{t("canDo")}</ColumnHead>
          <ColumnHead isNumber>{t("pictures")}</ColumnHead>
          <ColumnHead isNumber>{t("sound")}</ColumnHead>
        </TableHead>
        <TableBody>
          {families.flatMap((family) => [
            <GroupRow key={family} columns={4}>
              <FamilyTag family={family} />
            </GroupRow>,
            ...offeredModels()
              .filter((model) => model.family === family)
              .map((model) => <ModelRow key={model.id} model={model} />),
          ])}
        </TableBody>
      </Table>
    </Card>
  );
}

function ModelRow({ model }: { model: Model }) {
  const t = useTranslations("modelPage");
  const texts = useTranslations("models");
  const locale = useLocale();
  const references = model.family === "text" ? 0 : model.referenceImagesMax;
  return (
    <Row>
      <Cell className="pb-1.5 rows:align-top rows:pb-3">
        <Link
          href={`/models/${model.alias}`}
          prefetch={false}
          className="rounded-sm font-medium hover:text-signal-ink"
        >
          {model.id}
        </Link>
        <code className="block text-muted text-sm cards:ml-2 cards:inline">{model.alias}</code>
      </Cell>
      <Cell className="text-muted">
        <span className="block text-ink">{modelText(model, locale, texts)}</span>
        <span className="text-sm">
          <ModelLimits model={model} />
        </span>
      </Cell>
      <Cell isNumber label={t("pictures")}>
        {references > 0 ? references : <span className="text-faint">{t("none")}</span>}
      </Cell>
      <Cell isNumber label={t("sound")}>
        {model.family === "video" && model.audio ? (
          t("yes")
        ) : (
          <span className="text-faint">{t("none")}</span>
        )}
      </Cell>
    </Row>
  );
}
