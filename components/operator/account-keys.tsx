import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, HiddenHead, NumberCell, Row } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { useKeyLimitsText } from "@/lib/client/key-limits-text";
import { readPoints } from "@/lib/client/points-display";
import { useOperatorWrite } from "@/lib/client/write";
import type { ApiKeyView } from "@/lib/contract/api-keys";
import { accountEndpoints } from "@/lib/contract/operator-accounts";
import { OperatorAskDialog } from "./operator-ask-dialog";

/** The account's keys, shown by their hints only. */
export function AccountKeys({ keys }: { keys: readonly ApiKeyView[] }) {
  const t = useTranslations("operator.account");
  const own = useTranslations("keys");
  const { rows, sort } = useSorted(keys, {
    key: ({ name }) => name,
    lastUsed: ({ lastUsedAt }) => lastUsedAt && Date.parse(lastUsedAt),
    spent30Days: ({ spent30Days }) => readPoints(spent30Days),
    status: ({ status }) => status,
  });
  return (
    <ListCard
      id="account-keys"
      title={t("keys")}
      note={t("keysNote")}
      empty={t("noKeys")}
      columns={
        <>
          <ColumnHead {...sort("key")}>{own("key")}</ColumnHead>
          <ColumnHead>{own("limits")}</ColumnHead>
          <ColumnHead {...sort("lastUsed")}>{own("lastUsed")}</ColumnHead>
          <ColumnHead isNumber {...sort("spent30Days")}>
            {own("spent30Days")}
          </ColumnHead>
          <ColumnHead {...sort("status")}>{own("status")}</ColumnHead>
          <HiddenHead>{own("revoke")}</HiddenHead>
        </>
      }
      rows={rows.map((key) => <KeyLine key={key.id} apiKey={key} />)}
    />
  );
}

function KeyLine({ apiKey }: { apiKey: ApiKeyView }) {
  const own = useTranslations("keys");
  const limitsText = useKeyLimitsText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="wrap-anywhere font-medium">{apiKey.name}</span>
        <code className="block whitespace-nowrap text-muted text-sm">{apiKey.hint}</code>
      </Cell>
      <Cell label={own("limits")} className="text-muted text-sm">
        <span className="cards:text-right">{limitsText(apiKey)}</span>
      </Cell>
      <Cell label={own("lastUsed")} className="text-muted text-sm">
        {apiKey.lastUsedAt ? <RelativeTime at={apiKey.lastUsedAt} /> : own("never")}
      </Cell>
      <NumberCell label={own("spent30Days")}>
        <PointsText value={apiKey.spent30Days} />
      </NumberCell>
      <Cell label={own("status")}>
        <Pill tone={apiKey.status === "active" ? "ok" : "plain"}>
          {own(`statuses.${apiKey.status}`)}
        </Pill>
      </Cell>
      <Cell className="rows:text-right">
        {apiKey.status === "revoked" ? null : (
          <Button
            size="small"
            aria-label={own("actionsFor", { name: apiKey.name })}
            onClick={() => setIsOpen(true)}
          >
            {own("revoke")}
          </Button>
        )}
        {isOpen ? <RevokeDialog apiKey={apiKey} onClose={() => setIsOpen(false)} /> : null}
      </Cell>
    </Row>
  );
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKeyView; onClose: () => void }) {
  const own = useTranslations("keys");
  const write = useOperatorWrite(accountEndpoints.revokeAccountKey);
  return (
    <OperatorAskDialog
      send={() => write.mutateAsync({ id: apiKey.id })}
      done={() => own("revoked", { name: apiKey.name })}
      onClose={onClose}
      title={own("revokeTitle")}
      note={own("revokeNote", { hint: apiKey.hint })}
      go={own("revoke")}
      isDangerous
    />
  );
}
