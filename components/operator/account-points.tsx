import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { PointsField, TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { Figure } from "@/components/ui/figure";
import { PointsText } from "@/components/ui/points-text";
import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { shortPoints } from "@/lib/client/points-display";
import { randomText } from "@/lib/client/random-text";
import { useOperatorWrite } from "@/lib/client/write";
import { REASON_LENGTH_MAX } from "@/lib/contract/limits";
import { type AccountView, accountEndpoints } from "@/lib/contract/operator-accounts";
import { useOperatorForm } from "./use-operator-form";

/** The account's balance, with adjustments and refunds. */
export function AccountPoints({ account }: { account: AccountView["account"] }) {
  const t = useTranslations("operator.account");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card aria-labelledby="account-points">
      <CardHead id="account-points" title={t("points")} note={t("pointsNote")}>
        <Button onClick={() => setIsOpen(true)}>{t("adjust")}</Button>
      </CardHead>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t px-5 py-4 sm:grid-cols-3 lg:grid-cols-5">
        <Figure name={t("available")}>
          <PointsText value={account.available} form="exact" className="font-medium" />
        </Figure>
        <Figure name={t("heldBy", { count: account.openHolds })}>
          <PointsText
            value={account.held}
            form="exact"
            className={account.openHolds > 0 ? "text-held-ink" : ""}
          />
        </Figure>
        <Figure name={t("toppedUp")}>
          <PointsText value={account.toppedUp} form="exact" />
        </Figure>
        <Figure name={t("charged")}>
          <PointsText value={account.charged} form="exact" />
        </Figure>
        <Figure name={t("takenBack")}>
          <PointsText value={account.takenBack} form="exact" />
        </Figure>
      </dl>
      {isOpen ? <AdjustDialog account={account} onClose={() => setIsOpen(false)} /> : null}
    </Card>
  );
}

interface AdjustDialogProps {
  account: AccountView["account"];
  onClose: () => void;
}

function AdjustDialog({ account, onClose }: AdjustDialogProps) {
  const t = useTranslations("operator.account");
  const write = useOperatorWrite(accountEndpoints.adjustPoints);
  // One dialog is one adjustment: sent twice, it takes effect once.
  const [ref] = useState(() => randomText());
  const [way, setWay] = useState<"add" | "take">("add");
  const form = useOperatorForm({
    start: { points: "", reason: "" },
    problemsOf: ({ points, reason }) => ({
      points: ifEmpty(points, t("amountMissing")),
      reason: ifEmpty(reason, t("reasonMissing")),
    }),
    send: ({ points, reason }) =>
      write.mutateAsync({
        id: account.id,
        body: {
          points: `${way === "take" ? "-" : ""}${points.trim()}`,
          reason: reason.trim(),
          ref,
        },
      }),
    onDone: ({ available }) => {
      onClose();
      showToast(t("adjusted", { points: shortPoints(available) }));
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("adjustTitle")}
      note={t("adjustNote", { points: shortPoints(account.available) })}
      go={t(way)}
      isDangerous={way === "take"}
    >
      <Segmented
        label={t("way")}
        value={way}
        onChange={setWay}
        options={[
          { value: "add", label: t("add") },
          { value: "take", label: t("take") },
        ]}
      />
      <PointsField label={t("amount")} hint={t("amountHint")} {...form.field("points")} />
      <TextField
        label={t("reason")}
        hint={t("reasonInStatement")}
        maxLength={REASON_LENGTH_MAX}
        {...form.field("reason")}
      />
    </FormDialog>
  );
}
