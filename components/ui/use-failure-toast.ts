import type { FailureContext } from "@/lib/client/failure-text";
import { useFailureText } from "./failure-text";
import { showToast } from "./toast";

/** Says what went wrong with a change that has no form. */
export function useFailureToast(context?: FailureContext) {
  const failureText = useFailureText(context);
  return (error: unknown) => showToast(failureText(error), "bad");
}
