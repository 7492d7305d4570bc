import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { PointsField, SelectField, TextField } from "@/components/forms/text-field";
import { Options } from "@/components/ui/input";
import { groupsQuery } from "@/lib/client/operator-groups";
import { NAME_LENGTH_MAX, NOTE_LENGTH_MAX } from "@/lib/contract/limits";
import type { OperatorPlanView } from "@/lib/contract/operator-plans";
import { planPeriods } from "@/lib/contract/states";
import { LoadedSelect } from "../loaded-select";
import { usePlanForm } from "./use-plan-form";

interface PlanDialogProps {
  before: OperatorPlanView | null;
  onClose: () => void;
}

/** Adds or changes a plan. A change counts from the next period of each account on. */
export function PlanDialog({ before, onClose }: PlanDialogProps) {
  const t = useTranslations("operator.plans");
  const query = useQuery(groupsQuery);
  const [isOffered, setIsOffered] = useState(before?.isOffered ?? true);
  const form = usePlanForm(before, isOffered, onClose);
  const groups = query.data?.groups ?? (before?.group ? [before.group] : []);
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={before ? t("changeLabel", { name: before.name }) : t("add")}
      note={t("formNote")}
      go={before ? t("save") : t("add")}
    >
      <TextField label={t("name")} maxLength={NAME_LENGTH_MAX} {...form.field("name")} />
      <TextField label={t("words")} maxLength={NOTE_LENGTH_MAX} {...form.field("note")} />
      <PeriodFields form={form} />
      <LoadedSelect
        label={t("group")}
        hint={t("groupHint")}
        query={query}
        of={groups}
        none={t("noGroup")}
        {...form.field("groupId")}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          label={t("price")}
          hint={t("priceHint")}
          isNumber
          maxLength={12}
          {...form.field("amount")}
        />
        <TextField label={t("currency")} maxLength={3} {...form.field("currency")} />
        <TextField
          label={t("advance")}
          hint={t("advanceHint")}
          isNumber
          maxLength={2}
          {...form.field("advancePeriods")}
        />
        <TextField
          label={t("advancePrice")}
          isNumber
          maxLength={12}
          {...form.field("advanceAmount")}
        />
      </div>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-ink"
          checked={isOffered}
          onChange={(event) => setIsOffered(event.target.checked)}
        />
        {t("isOffered")}
      </label>
    </FormDialog>
  );
}

type PlanForm = ReturnType<typeof usePlanForm>;

/** The points of each period, and the share that carries over into the next one. */
function PeriodFields({ form }: { form: PlanForm }) {
  const t = useTranslations("operator.plans");
  const { period } = form.watch();
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3">
        <PointsField label={t("points")} {...form.field("points")} />
        <SelectField label={t("period")} {...form.field("period")}>
          <Options of={planPeriods} name={(each) => t(`periods.${each}`)} />
        </SelectField>
      </div>
      {period === "hours" ? (
        <TextField label={t("hours")} isNumber maxLength={4} {...form.field("hours")} />
      ) : null}
      <TextField
        label={t("rollover")}
        hint={t("rolloverHint")}
        isNumber
        maxLength={3}
        {...form.field("rolloverPercent")}
      />
    </>
  );
}
