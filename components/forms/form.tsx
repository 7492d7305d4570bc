import type { FormEvent, ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import { Notice } from "@/components/ui/notice";

/** The part of the state of `useServerForm` that a form needs. */
export interface FormState {
  submit: (event: FormEvent<HTMLFormElement>) => void;
  clearFailure: () => void;
  failure: string | null;
  isBusy: boolean;
}

interface FormProps {
  form: FormState;
  className?: string;
  children: ReactNode;
}

export function Form({ form, className, children }: FormProps) {
  return (
    <form
      noValidate
      onSubmit={form.submit}
      onChange={form.clearFailure}
      className={cn("grid gap-4", className)}
    >
      {children}
    </form>
  );
}

/** The failure of the form as a whole. */
export function FormFailure({ text }: { text: string | null }) {
  return text === null ? null : <Notice tone="bad">{text}</Notice>;
}
