"use client";

import { useTranslations } from "next-intl";
import type { FormEvent, ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";

/** What a form needs to know of the state that `useServerForm` keeps. */
interface FormState {
  submit: (event: FormEvent<HTMLFormElement>) => void;
  clearFailure: () => void;
  failure: string | null;
  isBusy: boolean;
}

export function Form({ form, className, children }: { form: FormState; className?: string; children: ReactNode }) {
  return (
    <form noValidate onSubmit={form.submit} onChange={form.clearFailure} className={cn("grid gap-4", className)}>
      {children}
    </form>
  );
}

/** Why the form as a whole was refused. */
export function FormFailure({ text }: { text: string | null }) {
  return text === null ? null : <Notice tone="bad">{text}</Notice>;
}

interface DialogFormProps {
  form: FormState;
  /** What the button says. */
  go: string;
  isDangerous?: boolean;
  /** The button cannot be pressed yet. */
  isOff?: boolean;
  onCancel: () => void;
  /** A further button, before those of every dialog. */
  action?: ReactNode;
  children?: ReactNode;
}

/** A form inside a dialog: its fields, why it was refused, and the buttons to cancel and to send it. */
export function DialogForm({ form, go, isDangerous = false, isOff = false, onCancel, action, children }: DialogFormProps) {
  const t = useTranslations("ui");
  return (
    <Form form={form}>
      {children}
      <FormFailure text={form.failure} />
      <DialogActions>
        {action}
        <Button onClick={onCancel}>{t("cancel")}</Button>
        <Button type="submit" look={isDangerous ? "danger" : "go"} disabled={isOff} isBusy={form.isBusy}>
          {go}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface FormDialogProps extends Omit<DialogFormProps, "onCancel"> {
  title: string;
  note: ReactNode;
  onClose: () => void;
  className?: string;
}

/** A dialog that is one form, rendered only while it is open: what it does, what it needs to know, and why it was refused. */
export function FormDialog({ title, note, onClose, className, ...form }: FormDialogProps) {
  return (
    <Dialog isOpen onOpenChange={(next) => (next ? undefined : onClose())} title={title} description={note} className={className}>
      <DialogForm {...form} onCancel={onClose} />
    </Dialog>
  );
}
