"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { RequestError } from "@/lib/client/request";

interface Write {
  isPending: boolean;
  error: Error | null;
  reset: () => void;
}

interface ChangeFormProps {
  write: Write;
  /** What the button says. */
  go: string;
  isDangerous?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Told to an operator as the server put it where it is about what he typed. */
const asPut = new Set(["invalid_value", "insufficient_points", "already_exists", "missing_required_parameter"]);

function ChangeForm({ write, go, isDangerous, onSubmit, onClose, children }: ChangeFormProps) {
  const ui = useTranslations("ui");
  const failureText = useFailureText();
  const { error } = write;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form noValidate onSubmit={submit} onChange={() => error && write.reset()} className="grid gap-4">
      {children}
      {error ? (
        <Notice tone="bad">{error instanceof RequestError && asPut.has(error.code) ? error.message : failureText(error)}</Notice>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>{ui("cancel")}</Button>
        <Button type="submit" look={isDangerous ? "danger" : "go"} isBusy={write.isPending}>
          {go}
        </Button>
      </DialogActions>
    </form>
  );
}

interface ChangeDialogProps extends Omit<ChangeFormProps, "onClose" | "write"> {
  title: string;
  note: ReactNode;
  write: Write;
  isOpen: boolean;
  onClose: () => void;
}

/** One change of an operator's: what it does, what it needs to know, and why it was refused. */
export function ChangeDialog({ title, note, isOpen, onClose, ...form }: ChangeDialogProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={(next) => (next ? undefined : onClose())} title={title} description={note}>
      <ChangeForm {...form} onClose={onClose} />
    </Dialog>
  );
}

interface TextFieldProps {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  isNumber?: boolean;
  maxLength?: number;
}

export function TextField({ label, hint, value, onChange, error, isNumber, maxLength = 500 }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          value={value}
          maxLength={maxLength}
          autoComplete="off"
          inputMode={isNumber ? "decimal" : undefined}
          className={isNumber ? "num" : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** The values of a form and which of them were left empty when it was sent. */
export function useFields<Name extends string>(start: Record<Name, string>) {
  const [values, setValues] = useState(start);
  const [isTried, setIsTried] = useState(false);
  const set = (name: Name) => (value: string) => setValues((before) => ({ ...before, [name]: value }));
  return {
    values,
    set,
    /** True when all of them are filled in; from the first try on `missing` names the empty ones. */
    check(...names: Name[]): boolean {
      setIsTried(true);
      return names.every((name) => values[name].trim() !== "");
    },
    missing: (name: Name, text: string) => (isTried && values[name].trim() === "" ? text : undefined),
  };
}
