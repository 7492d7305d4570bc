import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { SelectField } from "@/components/forms/text-field";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { LotHeads, LotRow } from "@/components/ui/lot-row";
import { PlanState } from "@/components/ui/plan-state";
import { showToast } from "@/components/ui/toast";
import { plansQuery, useAccountPlan } from "@/lib/client/operator-plans";
import { useOperatorWrite } from "@/lib/client/write";
import { operatorPlanEndpoints } from "@/lib/contract/operator-plans";
import type { AccountPlanView } from "@/lib/contract/plans";
import { LoadedSelect } from "./loaded-select";
import { OperatorAskDialog } from "./operator-ask-dialog";
import { useOperatorForm } from "./use-operator-form";

type Dialog = "set" | "cancel" | "pause" | "resume";

/** The plan of an account, its points that end, and what an operator does about them. */
export function AccountPlan({ id, isSuspended }: { id: string; isSuspended: boolean }) {
  const t = useTranslations("operator.accountPlan");
  const query = useAccountPlan(id);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { current = null, lots = [] } = query.data ?? {};
  const dialogs: Dialog[] =
    current === null
      ? ["set"]
      : ["set", current.status === "paused" ? "resume" : "pause", "cancel"];
  const close = () => setDialog(null);
  return (
    <ListCard
      id="account-plan"
      title={t("title")}
      note={t("note")}
      aside={
        query.data
          ? dialogs.map((each) => (
              <Button key={each} size="small" onClick={() => setDialog(each)}>
                {t(`go.${each}`)}
              </Button>
            ))
          : null
      }
      query={query}
      empty={current ? t("noLots") : null}
      columns={<LotHeads />}
      rows={lots.map((lot) => <LotRow key={lot.id} lot={lot} />)}
    >
      {query.data ? (
        <div className="px-5 pb-4">
          {current ? (
            <PlanState current={current} isSuspended={isSuspended} />
          ) : (
            <p className="text-sm">{t("none")}</p>
          )}
        </div>
      ) : null}
      {dialog === "set" ? <SetDialog id={id} current={current} onClose={close} /> : null}
      {dialog === "cancel" ? <CancelDialog id={id} onClose={close} /> : null}
      {dialog === "pause" ? <HaltDialog id={id} what="pause" onClose={close} /> : null}
      {dialog === "resume" ? <HaltDialog id={id} what="resume" onClose={close} /> : null}
    </ListCard>
  );
}

interface DialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

function useSaved(onClose: () => void) {
  const t = useTranslations("operator.accountPlan");
  return () => {
    onClose();
    showToast(t("saved"));
  };
}

const whenOf = (text: string) => (text === "now" ? "now" : "period_end");

function SetDialog({ id, current, onClose }: DialogProps & { current: AccountPlanView }) {
  const t = useTranslations("operator.accountPlan");
  const query = useQuery(plansQuery);
  const write = useOperatorWrite(operatorPlanEndpoints.setAccountPlan);
  const form = useOperatorForm({
    start: { planId: "", when: "period_end" },
    problemsOf: ({ planId }) => ({ planId: planId === "" ? t("planMissing") : undefined }),
    send: ({ planId, when }) => write.mutateAsync({ id, body: { planId, when: whenOf(when) } }),
    onDone: useSaved(onClose),
  });
  const plans = (query.data?.plans ?? []).filter(({ isRetired }) => !isRetired);
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("go.set")}
      note={t("setNote")}
      go={t("go.set")}
    >
      <LoadedSelect
        label={t("plan")}
        query={query}
        of={plans}
        none={t("choose")}
        {...form.field("planId")}
      />
      {current ? <WhenField field={form.field("when")} /> : null}
    </FormDialog>
  );
}

function WhenField({ field }: { field: object }) {
  const t = useTranslations("operator.accountPlan");
  return (
    <SelectField label={t("when")} {...field}>
      <option value="period_end">{t("atEnd")}</option>
      <option value="now">{t("now")}</option>
    </SelectField>
  );
}

function CancelDialog({ id, onClose }: DialogProps) {
  const t = useTranslations("operator.accountPlan");
  const write = useOperatorWrite(operatorPlanEndpoints.cancelAccountPlan);
  const form = useOperatorForm({
    start: { when: "period_end" },
    send: ({ when }) => write.mutateAsync({ id, body: { when: whenOf(when) } }),
    onDone: useSaved(onClose),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("go.cancel")}
      note={t("cancelNote")}
      go={t("go.cancel")}
      isDangerous
    >
      <WhenField field={form.field("when")} />
    </FormDialog>
  );
}

function HaltDialog({ id, what, onClose }: DialogProps & { what: "pause" | "resume" }) {
  const t = useTranslations("operator.accountPlan");
  const pause = useOperatorWrite(operatorPlanEndpoints.pauseAccountPlan);
  const resume = useOperatorWrite(operatorPlanEndpoints.resumeAccountPlan);
  return (
    <OperatorAskDialog
      send={() => (what === "pause" ? pause : resume).mutateAsync({ id })}
      done={() => t("saved")}
      onClose={onClose}
      title={t(`go.${what}`)}
      note={t(`${what}Note`)}
      go={t(`go.${what}`)}
    />
  );
}
