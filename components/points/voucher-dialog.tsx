"use client";

import { Ticket } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { showToast } from "@/components/ui/toast";
import { useRedeemVoucher } from "@/lib/client/account";
import { shortPoints } from "@/lib/client/points-display";

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

function VoucherForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations("voucher");
  const ui = useTranslations("ui");
  const failureText = useFailureText();
  const redeem = useRedeemVoucher();
  const [code, setCode] = useState("");
  const [isEmpty, setIsEmpty] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsEmpty(code.trim().length < 4);
    if (code.trim().length < 4) return;
    redeem.mutate(code.trim(), {
      onSuccess: ({ points }) => {
        onDone();
        showToast(t("done", { points: shortPoints(points) }));
      },
    });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Field label={t("code")} hint={t("hint")} error={isEmpty ? t("empty") : redeem.error ? failureText(redeem.error) : undefined}>
        {(control) => (
          <Input
            {...control}
            value={code}
            onChange={(event) => {
              setCode(event.target.value);
              setIsEmpty(false);
              redeem.reset();
            }}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={60}
            className="num uppercase"
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onDone}>{ui("cancel")}</Button>
        <Button type="submit" look="go" isBusy={redeem.isPending}>
          {t("add")}
        </Button>
      </DialogActions>
    </form>
  );
}
