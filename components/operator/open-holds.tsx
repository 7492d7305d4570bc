import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import {
  Cell,
  ColumnHead,
  NumberHead,
  Row,
  Table,
  TableBody,
  TableHead,
} from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { readPoints } from "@/lib/client/points-display";
import type { StuckView } from "@/lib/contract/operator-requests";
import { AccountLink } from "./account-link";

const tones = { alive: "ok", worker: "ok", dead: "bad", gone: "bad" } as const;
const deadlineTone = (isOverdue: boolean) =>
  isOverdue ? "text-bad text-sm" : "text-muted text-sm";

/** The oldest open holds, with the process that must end each. */
export function OpenHolds({ holds }: { holds: StuckView["holds"] }) {
  const t = useTranslations("operator.stuck");
  const { rows, sort } = useSorted(holds, {
    account: ({ account }) => account.email,
    deadline: ({ deadline }) => Date.parse(deadline),
    owner: ({ owner }) => owner,
    held: ({ held }) => readPoints(held),
  });
  return (
    <Table labelledBy="open-holds" className="border-t">
      <TableHead>
        <ColumnHead>{t("request")}</ColumnHead>
        <ColumnHead {...sort("account")}>{t("account")}</ColumnHead>
        <ColumnHead {...sort("deadline")}>{t("deadline")}</ColumnHead>
        <ColumnHead {...sort("owner")}>{t("owner")}</ColumnHead>
        <NumberHead {...sort("held")}>{t("held")}</NumberHead>
      </TableHead>
      <TableBody>
        {rows.map((hold) => (
          <Row key={hold.operationId}>
            <Cell className="cards:pb-1.5">
              <Link
                href={`/admin/requests?request=${hold.operationId}`}
                prefetch={false}
                className="break-all rounded-sm font-mono text-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
              >
                {hold.taskId ?? hold.requestId}
              </Link>
              <span className="block text-muted text-sm">
                {hold.model} · <RelativeTime at={hold.openedAt} />
              </span>
            </Cell>
            <Cell label={t("account")} className="text-sm">
              <AccountLink {...hold.account} />
            </Cell>
            <Cell label={t("deadline")} className={deadlineTone(hold.isOverdue)}>
              <RelativeTime at={hold.deadline} />
            </Cell>
            <Cell label={t("owner")}>
              <Pill tone={tones[hold.owner]}>{t(`owners.${hold.owner}`)}</Pill>
            </Cell>
            <Cell isNumber label={t("held")}>
              <PointsText value={hold.held} className="text-held-ink" />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
