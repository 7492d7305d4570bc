import { useTranslations } from "next-intl";
import { DialogForm } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { findModel } from "@/lib/catalog/models";
import { useNoteUpstreamPrice } from "@/lib/client/operator-prices";
import { RateTable } from "./rate-table";
import { hasInput, type PresentPrice, usePriceForm } from "./use-price-form";

interface UpstreamPriceDialogProps {
  /** A model, or `point`. */
  subject: string;
  present: PresentPrice | null;
  isOpen: boolean;
  onClose: () => void;
}

/** Records what an upstream charges for a model, or what a point is sold for. */
export function UpstreamPriceDialog(props: UpstreamPriceDialogProps) {
  const { subject, present, isOpen, onClose } = props;
  const t = useTranslations("operator.prices");
  const isPoint = subject === "point";
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={isPoint ? t("pointTitle") : t("costTitle", { model: subject })}
      description={t(isPoint ? "pointNote" : "costNote")}
    >
      <UpstreamPriceForm subject={subject} present={present} onClose={onClose} />
    </Dialog>
  );
}

function UpstreamPriceForm(props: Omit<UpstreamPriceDialogProps, "isOpen">) {
  const { subject, present, onClose } = props;
  const t = useTranslations("operator.prices");
  const ui = useTranslations("ui");
  const showFailure = useFailureToast("operator");
  const forget = useNoteUpstreamPrice();
  const finish = () => {
    showToast(t("noted"));
    onClose();
  };
  const form = usePriceForm(subject, present, finish);
  return (
    <DialogForm
      form={form}
      go={ui("save")}
      isOff={forget.isPending}
      onCancel={onClose}
      action={
        present ? (
          <Button
            look="quiet"
            className="sm:mr-auto"
            disabled={form.isBusy || forget.isPending}
            onClick={() =>
              forget.mutate({ subject, price: null }, { onSuccess: finish, onError: showFailure })
            }
          >
            {t("forget")}
          </Button>
        ) : null
      }
    >
      <TextField
        label={t("currency")}
        hint={t("currencyHint")}
        maxLength={3}
        className="num uppercase"
        {...form.field("currency")}
      />
      {hasInput(subject) ? (
        <TextField label={t("inputCost")} isNumber {...form.field("input")} />
      ) : null}
      <TextField
        label={t(subject === "point" ? "onePoint" : "outputCost")}
        isNumber
        {...form.field("output")}
      />
      {subject === "point" ? null : (
        <RateTable
          label={t("otherCosts")}
          hint={t("costsHint")}
          family={findModel(subject)?.family ?? "text"}
          rows={form.watch().rates}
          onChange={(rates) => form.change({ rates })}
          error={form.errorOf("rates")}
          isCost
        />
      )}
    </DialogForm>
  );
}
