import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { PointsField, TextField } from "@/components/forms/text-field";
import { useOperatorWrite } from "@/lib/client/write";
import { MODEL_LENGTH_MAX } from "@/lib/contract/limits";
import { billEndpoints } from "@/lib/contract/operator-bills";
import { parsePoints } from "@/lib/money/points";
import { useOperatorForm } from "../use-operator-form";

const units = [
  ["input", "input_token"],
  ["cached", "cached_input_token"],
  ["output", "output_token"],
] as const;

const isAmount = (text: string) => parsePoints(text.trim()) !== null;

interface UpstreamRatesDialogProps {
  channelId: string;
  onClose: () => void;
}

/** Notes what the upstream asks for a model from now on. */
export function UpstreamRatesDialog({ channelId, onClose }: UpstreamRatesDialogProps) {
  const t = useTranslations("operator.bills");
  const write = useOperatorWrite(billEndpoints.setUpstreamRates);
  const form = useOperatorForm({
    start: { model: "", currency: "USD", input: "", cached: "", output: "" },
    problemsOf: (given) =>
      Object.fromEntries(
        units.map(([name]) => [
          name,
          isAmount(given[name]) || (name !== "output" && given[name].trim() === "")
            ? undefined
            : t("notAnAmount"),
        ]),
      ),
    send: ({ model, currency, ...amounts }) =>
      write.mutateAsync({
        body: {
          channelId,
          model: model.trim(),
          currency: currency.trim(),
          rates: units
            .map(([name, unit]) => ({ unit, points: amounts[name].trim() }))
            .filter(({ points }) => points !== ""),
          effectiveAt: new Date().toISOString(),
        },
      }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t("noteRates")}
      note={t("noteRatesNote")}
      go={t("save")}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField label={t("model")} maxLength={MODEL_LENGTH_MAX} {...form.field("model")} />
        <TextField label={t("currency")} maxLength={3} {...form.field("currency")} />
      </div>
      <div className="grid gap-3 sm:grid-cols-3">
        {units.map(([name]) => (
          <PointsField key={name} label={t(name)} {...form.field(name)} />
        ))}
      </div>
    </FormDialog>
  );
}
