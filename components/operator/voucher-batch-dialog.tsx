import { useQuery } from "@tanstack/react-query";
import { Download, Ticket } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { PointsField, TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { plansQuery } from "@/lib/client/operator-plans";
import { useOperatorWrite } from "@/lib/client/write";
import { NAME_LENGTH_MAX, VOUCHERS_PER_BATCH_MAX } from "@/lib/contract/limits";
import { topupEndpoints } from "@/lib/contract/operator-topup";
import { csvOf } from "@/lib/values/csv";
import { LoadedSelect } from "./loaded-select";
import { useOperatorForm } from "./use-operator-form";

interface Made {
  readonly name: string;
  readonly codes: readonly string[];
}

/** Creates a batch of vouchers. Its codes can be seen and saved only here. */
export function VoucherBatchDialog() {
  const t = useTranslations("operator.vouchers");
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <Button look="go" onClick={() => setIsOpen(true)}>
        <Ticket aria-hidden />
        {t("make")}
      </Button>
      {isOpen ? <BatchForm onClose={() => setIsOpen(false)} onMade={setMade} /> : null}
      <Dialog
        isOpen={made !== null}
        onClose={() => setMade(null)}
        isDismissible={false}
        title={t("madeTitle")}
        description={t("madeNote")}
      >
        {made ? <Codes made={made} onClose={() => setMade(null)} /> : null}
      </Dialog>
    </>
  );
}

function saveCsv({ name, codes }: Made): void {
  const text = csvOf(
    ["code"],
    codes.map((code) => ({ code })),
  );
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `vouchers-${name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 40)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function Codes({ made, onClose }: { made: Made; onClose: () => void }) {
  const t = useTranslations("operator.vouchers");
  const ui = useTranslations("ui");
  const text = made.codes.join("\n");
  return (
    <>
      <textarea
        readOnly
        aria-label={t("codes")}
        value={text}
        rows={Math.min(8, made.codes.length)}
        onFocus={(event) => event.target.select()}
        className="num w-full resize-none rounded-md border border-control bg-card px-3 py-2 text-sm"
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => saveCsv(made)}>
          <Download aria-hidden />
          {ui("saveCsv")}
        </Button>
        <CopyButton text={text} what={t("codes")} />
      </div>
      <DialogActions>
        <Button look="go" onClick={onClose}>
          {t("saved")}
        </Button>
      </DialogActions>
    </>
  );
}

function useBatchForm(onClose: () => void, onMade: (made: Made) => void) {
  const t = useTranslations("operator.vouchers");
  const write = useOperatorWrite(topupEndpoints.createVouchers);
  return useOperatorForm({
    start: { name: "", planId: "", periods: "1", points: "", count: "1", days: "" },
    problemsOf: ({ name, points, planId, count }) => ({
      name: ifEmpty(name, t("nameMissing")),
      points: planId === "" ? ifEmpty(points, t("pointsMissing")) : undefined,
      count: ifEmpty(count, t("countHint")),
    }),
    send: ({ name, points, planId, periods, count, days }) => {
      const expiresAt =
        days.trim() === "" ? null : new Date(Date.now() + Number(days) * 86_400_000);
      const body = {
        name: name.trim(),
        points: planId === "" ? points.trim() : null,
        plan: planId === "" ? null : { id: planId, periods: Number(periods) || 1 },
        count: Number(count),
        expiresAt: expiresAt && !Number.isNaN(expiresAt.getTime()) ? expiresAt.toISOString() : null,
      };
      return write.mutateAsync({ body });
    },
    onDone: ({ codes }, { name }) => {
      onClose();
      onMade({ name: name.trim(), codes });
    },
  });
}

/** What each voucher gives: points, or periods of a plan. */
function GivesFields({ form }: { form: ReturnType<typeof useBatchForm> }) {
  const t = useTranslations("operator.vouchers");
  const plans = useQuery(plansQuery);
  return (
    <>
      <LoadedSelect
        label={t("gives")}
        query={plans}
        of={(plans.data?.plans ?? []).filter(({ isRetired }) => !isRetired)}
        none={t("givesPoints")}
        {...form.field("planId")}
      />
      {form.watch().planId === "" ? (
        <PointsField label={t("each")} {...form.field("points")} />
      ) : (
        <TextField label={t("periods")} isNumber maxLength={4} {...form.field("periods")} />
      )}
    </>
  );
}

function BatchForm({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const t = useTranslations("operator.vouchers");
  const form = useBatchForm(onClose, onMade);
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("make")}
      note={t("makeNote")}
      go={t("makeGo")}
    >
      <TextField
        label={t("name")}
        hint={t("nameHint")}
        maxLength={NAME_LENGTH_MAX}
        {...form.field("name")}
      />
      <GivesFields form={form} />
      <TextField
        label={t("count")}
        hint={t("countHint")}
        isNumber
        maxLength={String(VOUCHERS_PER_BATCH_MAX).length}
        {...form.field("count")}
      />
      <TextField
        label={t("days")}
        hint={t("daysHint")}
        isNumber
        maxLength={4}
        {...form.field("days")}
      />
    </FormDialog>
  );
}
