import { Ticket } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogForm } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";
import { useRedeemVoucher } from "@/lib/client/account";
import { shortPoints } from "@/lib/client/points-display";
import { VOUCHER_CODE_LENGTH_MAX } from "@/lib/contract/limits";

export function VoucherDialog() {
  const t = useTranslations("voucher");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Ticket aria-hidden />
        {t("redeem")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title={t("title")} description={t("note")}>
        <VoucherForm onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

const CODE_LENGTH_MIN = 4;

function VoucherForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations("voucher");
  const redeem = useRedeemVoucher();
  const form = useServerForm({
    start: { code: "" },
    problemsOf: ({ code }) => ({
      code: code.trim().length < CODE_LENGTH_MIN ? t("empty") : undefined,
    }),
    send: ({ code }) => redeem.mutateAsync(code.trim()),
    onDone: ({ points }) => {
      onDone();
      showToast(t("done", { points: shortPoints(points) }));
    },
    fieldOf: () => "code",
    context: "voucher",
  });
  return (
    <DialogForm form={form} go={t("add")} onCancel={onDone}>
      <TextField
        label={t("code")}
        hint={t("hint")}
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={VOUCHER_CODE_LENGTH_MAX}
        className="num uppercase"
        {...form.field("code")}
      />
    </DialogForm>
  );
}
