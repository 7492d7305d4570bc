import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { ForRole } from "@/components/ui/for-role";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { linkClassName } from "@/components/ui/rich-text";
import { Cell, Row } from "@/components/ui/table";
import type { WebhookView } from "@/lib/contract/webhooks";
import { DeliveriesDialog } from "./deliveries-dialog";
import { EditWebhookDialog } from "./edit-webhook-dialog";
import { RemoveWebhookDialog } from "./remove-webhook-dialog";
import { RotateWebhookDialog } from "./rotate-webhook-dialog";
import { WebhookActions, type WebhookDialog } from "./webhook-actions";

const dialogs = {
  edit: EditWebhookDialog,
  rotate: RotateWebhookDialog,
  remove: RemoveWebhookDialog,
  log: DeliveriesDialog,
} as const;

const tones = { active: "ok", paused: "held", failing: "bad" } as const;

export function WebhookRow({ webhook }: { webhook: WebhookView }) {
  const t = useTranslations("notifications");
  const [open, setOpen] = useState<WebhookDialog | null>(null);
  const { url, kinds, pausedAt, failingSince, needsRotation } = webhook;
  const failing = failingSince === null ? "active" : "failing";
  const state = pausedAt === null ? failing : "paused";
  const since = pausedAt ?? failingSince;
  const Opened = open && dialogs[open];
  return (
    <Row className={cn(pausedAt !== null && "text-muted")}>
      <Cell className="max-w-90 cards:max-w-none cards:pb-1">
        <code className="wrap-anywhere text-sm">{url}</code>
      </Cell>
      <Cell label={t("events")} className="text-muted text-sm">
        <span title={kinds.map((kind) => t(`kinds.${kind}`)).join("\n")}>
          {t("count", { count: kinds.length })}
        </span>
      </Cell>
      <Cell label={t("status")}>
        <span className="cards:text-right">
          <Pill tone={tones[state]}>{t(`states.${state}`)}</Pill>
          {since === null ? null : (
            <span className="block text-muted text-sm">
              <RelativeTime at={since} />
            </span>
          )}
          {needsRotation ? (
            <span className="mt-1 block max-w-60 cards:max-w-none text-bad text-sm">
              {t("needsRotation")}{" "}
              <ForRole needs="changeAccount">
                <button type="button" className={linkClassName} onClick={() => setOpen("rotate")}>
                  {t("rotateTitle")}
                </button>
              </ForRole>
            </span>
          ) : null}
        </span>
      </Cell>
      <Cell className="cards:pt-2 rows:text-right">
        <span className="flex flex-wrap items-center gap-2 rows:justify-end">
          <Button onClick={() => setOpen("log")}>{t("log")}</Button>
          <ForRole needs="changeAccount">
            <WebhookActions webhook={webhook} onOpen={setOpen} />
          </ForRole>
        </span>
        {Opened ? <Opened webhook={webhook} onClose={() => setOpen(null)} /> : null}
      </Cell>
    </Row>
  );
}
