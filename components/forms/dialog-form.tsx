import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Form, FormFailure, type FormState } from "./form";

interface DialogFormProps {
  form: FormState;
  /** The text of the submit button. */
  go: string;
  isDangerous?: boolean;
  /** Disables the submit button. */
  isOff?: boolean;
  onCancel: () => void;
  /** An additional button, before the usual ones. */
  action?: ReactNode;
  children?: ReactNode;
}

/** A form inside a dialog: fields, failure, and the buttons to cancel and submit. */
export function DialogForm(props: DialogFormProps) {
  const { form, go, isDangerous = false, isOff = false, onCancel, action, children } = props;
  const t = useTranslations("ui");
  return (
    <Form form={form}>
      {children}
      <FormFailure text={form.failure} />
      <DialogActions>
        {action}
        <Button onClick={onCancel}>{t("cancel")}</Button>
        <Button
          type="submit"
          look={isDangerous ? "danger" : "go"}
          disabled={isOff}
          isBusy={form.isBusy}
        >
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

/** A dialog that consists of one form. Render it only while it is open. */
export function FormDialog({ title, note, onClose, className, ...form }: FormDialogProps) {
  return (
    <Dialog onClose={onClose} title={title} description={note} className={className}>
      <DialogForm {...form} onCancel={onClose} />
    </Dialog>
  );
}
