import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { PointsField, TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { Line, Part } from "@/components/requests/request-parts";
import { Button } from "@/components/ui/button";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { showToast } from "@/components/ui/toast";
import { exactPoints, shortPoints } from "@/lib/client/points-display";
import { randomText } from "@/lib/client/random-text";
import { useOperatorWrite } from "@/lib/client/write";
import { REASON_LENGTH_MAX } from "@/lib/contract/limits";
import { type LoggedRequestView, requestEndpoints } from "@/lib/contract/operator-requests";
import type { LossCause } from "@/lib/contract/states";
import { AccountLink } from "./account-link";
import { CheckTask } from "./check-task";
import { useOperatorForm } from "./use-operator-form";

/** Whose request it is, and who answered it. */
export function OperationPart({ logged }: { logged: LoggedRequestView }) {
  const t = useTranslations("operator.requests");
  const tasks = useTranslations("operator.tasks");
  const money = useTranslations("operator.money");
  const { account, channel, upstreamRef, taskId, nodeId, losses, polls, request } = logged;
  return (
    <Part title={t("operation")}>
      <dl className="grid gap-1 text-sm">
        <Line name={t("account")}>
          <AccountLink {...account} />
        </Line>
        <Line name={t("channel")}>{channel ? (channel.name ?? channel.id) : t("none")}</Line>
        <Line name={t("upstreamRef")}>{upstreamRef ?? t("none")}</Line>
        {taskId ? <Line name={t("task")}>{taskId}</Line> : null}
        {polls ? <Line name={t("polls")}>{tasks("polls", polls)}</Line> : null}
        <Line name={t("node")}>{nodeId ?? t("none")}</Line>
        {losses.map((loss) => (
          <Line
            key={loss.cause}
            name={t("lost", { cause: money(`causes.${loss.cause as LossCause}`) })}
          >
            <PointsText value={loss.estimate} form="exact" />
          </Line>
        ))}
      </dl>
      {taskId && request.entry.request?.state === "held" ? (
        <p className="mt-2">
          <CheckTask id={taskId} />
        </p>
      ) : null}
    </Part>
  );
}

/**
 * The part of the charge that was not refunded, in decimal points. Computed with integers, since
 * floats cannot hold six decimals exactly.
 */
function leftOf({ request }: LoggedRequestView): string {
  const micropoints = (text: string) => BigInt(text.replace(".", ""));
  const left =
    micropoints(request.entry.request?.settled ?? "0.000000") - micropoints(request.refunded);
  const digits = left.toString().padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** What was given back of the charge, and the way to give back more. */
export function RefundsPart({ logged }: { logged: LoggedRequestView }) {
  const t = useTranslations("operator.requests");
  const [isOpen, setIsOpen] = useState(false);
  const left = leftOf(logged);
  const isLeft = /[1-9]/.test(left);
  const canRefund = isLeft && !logged.isArchived;
  if (!isLeft && logged.refunds.length === 0) return null;
  return (
    <Part title={t("refunds")}>
      <ul className="grid gap-1.5 text-sm">
        {logged.refunds.map(({ id, points, reason, at }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-3">
            <span className="wrap-anywhere">
              {reason}{" "}
              <span className="text-muted">
                <RelativeTime at={at} />
              </span>
            </span>
            <PointsText value={points} form="exact" />
          </li>
        ))}
      </ul>
      {canRefund ? (
        <Button size="small" className="mt-2" onClick={() => setIsOpen(true)}>
          {t("refund")}
        </Button>
      ) : (
        <p className="mt-1.5 text-muted text-xs">{t(isLeft ? "archived" : "allRefunded")}</p>
      )}
      {isOpen ? (
        <RefundDialog id={logged.request.entry.id} left={left} onClose={() => setIsOpen(false)} />
      ) : null}
    </Part>
  );
}

function RefundDialog({ id, left, onClose }: { id: string; left: string; onClose: () => void }) {
  const t = useTranslations("operator.requests");
  const account = useTranslations("operator.account");
  const write = useOperatorWrite(requestEndpoints.refundCharge);
  // One dialog is one refund: sent twice, it takes effect once.
  const [ref] = useState(() => randomText());
  const form = useOperatorForm({
    start: { points: "", reason: "" },
    problemsOf: ({ reason }) => ({ reason: ifEmpty(reason, account("reasonMissing")) }),
    send: ({ points, reason }) =>
      write.mutateAsync({
        id,
        body: { points: points.trim() || null, reason: reason.trim(), ref },
      }),
    onDone: ({ points }) => {
      onClose();
      showToast(t("refunded", { points: shortPoints(points) }));
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("refundTitle")}
      note={t("refundNote", { points: exactPoints(left) })}
      go={t("refundGo")}
    >
      <PointsField label={account("amount")} hint={t("refundHint")} {...form.field("points")} />
      <TextField
        label={account("reason")}
        hint={account("reasonInStatement")}
        maxLength={REASON_LENGTH_MAX}
        {...form.field("reason")}
      />
    </FormDialog>
  );
}
