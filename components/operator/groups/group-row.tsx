import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import { Cell, Row } from "@/components/ui/table";
import { useListText } from "@/components/ui/use-list-text";
import type { GroupView } from "@/lib/contract/operator-groups";

interface GroupRowProps {
  group: GroupView;
  onChange: () => void;
  onDelete: () => void;
}

export function GroupRow({ group, onChange, onDelete }: GroupRowProps) {
  const listed = useListText();
  const t = useTranslations("operator.groups");
  const { id, name, multiplier, models, modelMultipliers, members } = group;
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="wrap-anywhere font-medium">{name}</span>
      </Cell>
      <Cell isNumber label={t("multiplier")}>
        <span className="grow text-right">
          {multiplier === null ? t("listPrice") : `× ${multiplier}`}
          {modelMultipliers.map((each) => (
            <span key={each.model} className="block text-muted text-xs">
              {`${each.model} × ${each.multiplier}`}
            </span>
          ))}
        </span>
      </Cell>
      <Cell label={t("models")} className="wrap-anywhere text-sm">
        {models.length === 0 ? t("allModels") : listed(models)}
      </Cell>
      <Cell isNumber label={t("accounts")}>
        {members === 0 ? (
          members
        ) : (
          <Link
            href={`/admin/accounts?q=${id}`}
            prefetch={false}
            aria-label={t("membersOf", { name, count: members })}
            className={linkClassName}
          >
            {members}
          </Link>
        )}
      </Cell>
      <Cell className="rows:text-right">
        <span className="inline-flex flex-wrap justify-end gap-2">
          <Button size="small" aria-label={t("changeLabel", { name })} onClick={onChange}>
            {t("change")}
          </Button>
          <Button size="small" aria-label={t("deleteLabel", { name })} onClick={onDelete}>
            {t("delete")}
          </Button>
        </span>
      </Cell>
    </Row>
  );
}
