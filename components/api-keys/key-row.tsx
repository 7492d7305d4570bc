import { RefreshCw, SlidersHorizontal, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { ActionsMenu, MenuItem } from "@/components/ui/menu";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, Row } from "@/components/ui/table";
import { useMe } from "@/lib/client/account";
import { useKeyLimitsText } from "@/lib/client/key-limits-text";
import { shortPoints } from "@/lib/client/points-display";
import type { ApiKeyView } from "@/lib/contract/api-keys";
import { ChangeLimitsDialog } from "./change-limits-dialog";
import { KeyBudgets } from "./key-budgets";
import { ReplaceKeyDialog } from "./replace-key-dialog";
import { RevokeKeyDialog } from "./revoke-key-dialog";
import { Sparkline } from "./sparkline";
import { useMayChange } from "./use-may-change";
import { useResume } from "./use-resume";

type OpenDialog = "limits" | "replace" | "revoke" | null;

export function KeyRow({ apiKey, baseUrl }: { apiKey: ApiKeyView; baseUrl: string }) {
  const t = useTranslations("keys");
  const limitsText = useKeyLimitsText(false);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = () => setDialog(null);
  const resume = useResume(apiKey);
  const isActive = apiKey.status === "active";
  const isInUse = isActive || apiKey.status === "paused";
  const mayChange = useMayChange(apiKey);
  return (
    <Row className={cn("relative", !isInUse && "text-muted")}>
      <Cell className="max-w-60 @4xl/table:min-w-32 cards:max-w-none cards:pr-12 cards:pb-1">
        <span className="wrap-anywhere font-medium">{apiKey.name}</span>
        <code className="block whitespace-nowrap text-muted text-sm">{apiKey.hint}</code>
        <Maker apiKey={apiKey} />
        {apiKey.pausedSpend === null || !mayChange ? null : (
          <PausedNote points={apiKey.pausedSpend} onResume={resume} />
        )}
      </Cell>
      <Cell label={t("budgets")}>
        <KeyBudgets apiKey={apiKey} isInUse={isInUse} mayChange={mayChange} />
      </Cell>
      <Cell label={t("limits")} className="text-muted text-sm">
        <span className="cards:text-right">{limitsText(apiKey)}</span>
      </Cell>
      <Cell label={t("lastUsed")} className="text-muted text-sm">
        {apiKey.lastUsedAt ? <RelativeTime at={apiKey.lastUsedAt} /> : t("never")}
      </Cell>
      <Cell isNumber label={t("spent30Days")}>
        <span className="cards:flex cards:items-center cards:gap-3">
          <Sparkline amounts={apiKey.spentByDay} />
          <PointsText value={apiKey.spent30Days} />
        </span>
      </Cell>
      <Cell label={t("status")}>
        <Pill tone={isActive ? "ok" : isInUse ? "held" : "plain"}>
          {t(`statuses.${apiKey.status}`)}
        </Pill>
      </Cell>
      <Cell className="cards:absolute cards:top-2 cards:right-3 rows:w-12 rows:text-right">
        {isInUse && mayChange ? (
          <>
            <KeyActions name={apiKey.name} onChoose={setDialog} />
            {dialog === "limits" ? <ChangeLimitsDialog apiKey={apiKey} onClose={close} /> : null}
            <ReplaceKeyDialog
              apiKey={apiKey}
              isOpen={dialog === "replace"}
              onClose={close}
              baseUrl={baseUrl}
            />
            {dialog === "revoke" ? <RevokeKeyDialog apiKey={apiKey} onClose={close} /> : null}
          </>
        ) : null}
      </Cell>
    </Row>
  );
}

/** Who made a key, where it was somebody else. */
function Maker({ apiKey: { maker } }: { apiKey: ApiKeyView }) {
  const t = useTranslations("keys");
  const { data: me } = useMe();
  if (me === undefined || maker === null || maker.id === me.user.id) return null;
  return (
    <span className="wrap-anywhere block text-muted text-sm">
      {t("madeBy", { who: maker.email ?? t("formerMember") })}
    </span>
  );
}

function PausedNote({ points, onResume }: { points: string; onResume: () => void }) {
  const t = useTranslations("keys");
  return (
    <span className="mt-1 block text-sm">
      <span className="block text-held-ink">
        {t("pausedNote", { points: shortPoints(points) })}
      </span>
      <Button className="mt-1.5" onClick={onResume}>
        {t("resume")}
      </Button>
    </span>
  );
}

interface KeyActionsProps {
  name: string;
  onChoose: (dialog: OpenDialog) => void;
}

function KeyActions({ name, onChoose }: KeyActionsProps) {
  const t = useTranslations("keys");
  return (
    <ActionsMenu label={t("actionsFor", { name })} className="rows:-my-1.5">
      <MenuItem onSelect={() => onChoose("limits")}>
        <SlidersHorizontal aria-hidden />
        {t("changeLimits")}
      </MenuItem>
      <MenuItem onSelect={() => onChoose("replace")}>
        <RefreshCw aria-hidden />
        {t("replace")}
      </MenuItem>
      <MenuItem isDangerous onSelect={() => onChoose("revoke")}>
        <Trash2 aria-hidden />
        {t("revoke")}
      </MenuItem>
    </ActionsMenu>
  );
}
