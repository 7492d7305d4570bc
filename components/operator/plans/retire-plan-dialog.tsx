"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { showToast } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { type OperatorPlanView, operatorPlanEndpoints } from "@/lib/contract/operator-plans";
import { useOperatorForm } from "../use-operator-form";

/** Who is on the plan stays on it. */
export function RetirePlanDialog({
  plan,
  onClose,
}: {
  plan: OperatorPlanView;
  onClose: () => void;
}) {
  const t = useTranslations("operator.plans");
  const retire = useOperatorWrite(operatorPlanEndpoints.retirePlan);
  const form = useOperatorForm({
    start: {},
    send: () => retire.mutateAsync({ id: plan.id }),
    onDone: () => {
      onClose();
      showToast(t("saved"));
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("retireLabel", { name: plan.name })}
      note={t("retireNote", { count: plan.accounts })}
      go={t("retire")}
      isDangerous
    />
  );
}
