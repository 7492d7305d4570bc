import { Ticket } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
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
      {isOpen ? <VoucherForm onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

const CODE_LENGTH_MIN = 4;

function VoucherForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations("voucher");
  const redeem = useRedeemVoucher();
  const form = useServerForm({
    start: { code: "" },
    problemsOf: ({ code }) => ({
      code: code.trim().length < CODE_LENGTH_MIN ? t("empty") : undefined,
    }),
    send: ({ code }) => redeem.mutateAsync(code.trim()),
    onDone: ({ points }) => {
      onClose();
      showToast(t("done", { points: shortPoints(points) }));
    },
    fieldOf: () => "code",
    context: "voucher",
  });
  return (
    <FormDialog form={form} go={t("add")} onClose={onClose} title={t("title")} note={t("note")}>
      <TextField
        label={t("code")}
        hint={t("hint")}
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={VOUCHER_CODE_LENGTH_MAX}
        className="num uppercase"
        {...form.field("code")}
      />
    </FormDialog>
  );
}
