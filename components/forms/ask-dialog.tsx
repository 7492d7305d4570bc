import type { ComponentProps } from "react";
import { showToast } from "@/components/ui/toast";
import type { FailureText } from "@/lib/client/failure-text";
import { FormDialog } from "./dialog-form";
import { useServerForm } from "./use-server-form";

export interface AskDialogProps<Answer>
  extends Omit<ComponentProps<typeof FormDialog>, "form" | "children"> {
  send: () => Promise<Answer>;
  /** What is said when it is done, even if the dialog and what opened it are gone by then. */
  done?: (answer: Answer) => string;
  failureText?: FailureText;
}

/** A question before something is done. Render it only while it is open. */
export function AskDialog<Answer>({ send, done, failureText, ...dialog }: AskDialogProps<Answer>) {
  const form = useServerForm({
    start: {},
    async send() {
      const answer = await send();
      if (done) showToast(done(answer));
    },
    onDone: dialog.onClose,
    ...(failureText && { failureText }),
  });
  return <FormDialog form={form} {...dialog} />;
}
