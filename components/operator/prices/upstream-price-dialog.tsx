"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { findModel } from "@/lib/catalog/models";
import { useNoteUpstreamPrice } from "@/lib/client/operator-prices";
import { priceText } from "@/lib/client/points-display";
import { amountPattern } from "@/lib/points";
import { useOperatorFailureText } from "../operator-failure";

interface UpstreamPriceDialogProps {
  /** A model, or `point`. */
  subject: string;
  present: { currency: string; input: string | null; output: string } | null;
  isOpen: boolean;
  onClose: () => void;
}

/** Notes what an upstream asks for a model, or what a point is sold for. */
export function UpstreamPriceDialog({ subject, present, isOpen, onClose }: UpstreamPriceDialogProps) {
  const t = useTranslations("operator.prices");
  const isPoint = subject === "point";
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={isPoint ? t("pointTitle") : t("costTitle", { model: subject })}
      description={t(isPoint ? "pointNote" : "costNote")}
    >
      <UpstreamPriceForm subject={subject} present={present} onClose={onClose} />
    </Dialog>
  );
}

const isAmount = (text: string) => amountPattern.test(text);
const plain = (amount: string | null | undefined) => (amount ? priceText(amount).replaceAll(",", "") : "");

function UpstreamPriceForm({ subject, present, onClose }: Omit<UpstreamPriceDialogProps, "isOpen">) {
  const t = useTranslations("operator.prices");
  const ui = useTranslations("ui");
  const failureText = useOperatorFailureText();
  const note = useNoteUpstreamPrice();
  const hasInput = findModel(subject)?.family === "text";
  const [currency, setCurrency] = useState(present?.currency ?? "");
  const [input, setInput] = useState(plain(present?.input));
  const [output, setOutput] = useState(plain(present?.output));
  const [isChecked, setIsChecked] = useState(false);
  const problems = {
    currency: !/^[A-Z]{3}$/.test(currency.trim().toUpperCase()),
    input: hasInput && !isAmount(input.trim()),
    output: !isAmount(output.trim()),
  };
  const send = (price: { currency: string; input: string | null; output: string } | null) =>
    note.mutate(
      { subject, price },
      {
        onSuccess: () => {
          showToast(t("noted"));
          onClose();
        },
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (problems.currency || problems.input || problems.output) return;
    send({ currency: currency.trim().toUpperCase(), input: hasInput ? input.trim() : null, output: output.trim() });
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field label={t("currency")} hint={t("currencyHint")} error={isChecked && problems.currency ? t("currencyProblem") : undefined}>
        {(control) => (
          <Input
            {...control}
            className="num uppercase"
            maxLength={3}
            autoComplete="off"
            value={currency}
            onChange={(event) => setCurrency(event.target.value)}
          />
        )}
      </Field>
      {hasInput ? (
        <Field label={t("inputCost")} error={isChecked && problems.input ? t("amountProblem") : undefined}>
          {(control) => (
            <Input {...control} className="num" inputMode="decimal" value={input} onChange={(event) => setInput(event.target.value)} />
          )}
        </Field>
      ) : null}
      <Field
        label={t(subject === "point" ? "onePoint" : "outputCost")}
        error={isChecked && problems.output ? t("amountProblem") : undefined}
      >
        {(control) => (
          <Input {...control} className="num" inputMode="decimal" value={output} onChange={(event) => setOutput(event.target.value)} />
        )}
      </Field>
      {note.error ? <Notice tone="bad">{failureText(note.error)}</Notice> : null}
      <DialogActions>
        {present ? (
          <Button look="quiet" className="sm:mr-auto" disabled={note.isPending} onClick={() => send(null)}>
            {t("forget")}
          </Button>
        ) : null}
        <Button onClick={onClose}>{ui("cancel")}</Button>
        <Button type="submit" look="go" isBusy={note.isPending}>
          {ui("save")}
        </Button>
      </DialogActions>
    </form>
  );
}
