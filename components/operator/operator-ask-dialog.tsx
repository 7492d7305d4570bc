import { AskDialog, type AskDialogProps } from "@/components/forms/ask-dialog";
import { useOperatorFailureText } from "./operator-failure";

/** A question on the operators' pages: a refusal is shown with the server's own message. */
export function OperatorAskDialog<Answer>(props: AskDialogProps<Answer>) {
  return <AskDialog failureText={useOperatorFailureText()} {...props} />;
}
