import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { MomentField } from "@/components/forms/moment-field";
import { TextField } from "@/components/forms/text-field";
import { fieldNamedBy } from "@/components/forms/use-server-form";
import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/write";
import { MODEL_LENGTH_MAX } from "@/lib/contract/limits";
import { type ModelDetail, modelEndpoints } from "@/lib/contract/operator-models";
import { useOperatorForm } from "../use-operator-form";

interface RetireDialogProps {
  detail: ModelDetail;
  onClose: () => void;
}

/** Ends a model now, or at a time until which it is served with a warning. */
export function RetireDialog({ detail: { model, openOrders }, onClose }: RetireDialogProps) {
  const t = useTranslations("operator.models");
  const prices = useTranslations("operator.prices");
  const router = useRouter();
  const retire = useOperatorWrite(modelEndpoints.retireModel);
  const [when, setWhen] = useState<"now" | "at">("at");
  const form = useOperatorForm({
    start: { on: "", replacedBy: model.replacedBy ?? "" },
    problemsOf: ({ on }) => ({
      on:
        when === "at" && !(new Date(on).getTime() > Date.now())
          ? prices("momentProblem")
          : undefined,
    }),
    send: ({ on, replacedBy }) =>
      retire.mutateAsync({
        id: model.id,
        body: {
          on: when === "at" ? new Date(on).toISOString() : null,
          replacedBy: replacedBy.trim() || null,
        },
      }),
    fieldOf: (error) =>
      fieldNamedBy(error) === "replaced_by" ? "replacedBy" : fieldNamedBy(error),
    onDone: () => {
      onClose();
      router.refresh();
      showToast(t(when === "at" ? "willRetire" : "retired", { model: model.id }));
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("retireTitle", { model: model.id })}
      note={t("retireNote", { count: openOrders })}
      go={t("retire")}
      isDangerous={when === "now"}
    >
      <Segmented
        label={prices("when")}
        value={when}
        options={[
          { value: "at", label: prices("later") },
          { value: "now", label: prices("now") },
        ]}
        onChange={setWhen}
      />
      {when === "at" ? <MomentField label={t("retiresOn")} {...form.field("on")} /> : null}
      <TextField
        label={t("replacement")}
        hint={t("replacementHint")}
        maxLength={MODEL_LENGTH_MAX}
        spellCheck={false}
        {...form.field("replacedBy")}
      />
    </FormDialog>
  );
}
