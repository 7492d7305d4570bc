import { useTranslations } from "next-intl";
import { useOperatorWrite } from "@/lib/client/write";
import { type OperatorPlanView, operatorPlanEndpoints } from "@/lib/contract/operator-plans";
import { OperatorAskDialog } from "../operator-ask-dialog";

interface RetirePlanDialogProps {
  plan: OperatorPlanView;
  onClose: () => void;
}

/** Who is on the plan stays on it. */
export function RetirePlanDialog({ plan, onClose }: RetirePlanDialogProps) {
  const t = useTranslations("operator.plans");
  const retire = useOperatorWrite(operatorPlanEndpoints.retirePlan);
  return (
    <OperatorAskDialog
      send={() => retire.mutateAsync({ id: plan.id })}
      done={() => t("saved")}
      onClose={onClose}
      title={t("retireLabel", { name: plan.name })}
      note={t("retireNote", { count: plan.accounts })}
      go={t("retire")}
      isDangerous
    />
  );
}
