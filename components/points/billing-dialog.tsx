import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { showToast } from "@/components/ui/toast";
import { useSetBilling } from "@/lib/client/invoices";
import type { InvoicesView } from "@/lib/contract/invoices";
import {
  BILLING_ADDRESS_LENGTH_MAX,
  BILLING_NAME_LENGTH_MAX,
  TAX_NUMBER_LENGTH_MAX,
} from "@/lib/contract/limits";

interface BillingDialogProps extends Pick<InvoicesView, "billing"> {
  onClose: () => void;
}

/** What receipts and new invoices name the buyer by. */
export function BillingDialog({ onClose, billing }: BillingDialogProps) {
  const t = useTranslations("points.invoices");
  const set = useSetBilling();
  const form = useServerForm({
    start: billing ?? { name: "", address: "", taxNumber: "" },
    problemsOf: ({ name }) => ({ name: name.trim() === "" ? t("nameProblem") : undefined }),
    send: ({ name, address, taxNumber }) => set.mutateAsync({ name, address, taxNumber }),
    onDone: () => {
      onClose();
      showToast(t("saved"));
    },
    context: "purchase",
  });
  return (
    <FormDialog
      form={form}
      go={t("save")}
      onClose={onClose}
      title={t("dialogTitle")}
      note={t("dialogNote")}
    >
      <TextField
        label={t("name")}
        autoComplete="organization"
        maxLength={BILLING_NAME_LENGTH_MAX}
        {...form.field("name")}
      />
      <TextField
        label={t("address")}
        hint={t("addressHint")}
        autoComplete="street-address"
        maxLength={BILLING_ADDRESS_LENGTH_MAX}
        {...form.field("address")}
      />
      <TextField
        label={t("taxNumber")}
        maxLength={TAX_NUMBER_LENGTH_MAX}
        {...form.field("taxNumber")}
      />
    </FormDialog>
  );
}
