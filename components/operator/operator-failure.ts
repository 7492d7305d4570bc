import { useFailureText } from "@/components/ui/failure-text";

/** The text for a failure of an operator's change. */
export const useOperatorFailureText = () => useFailureText("operator");
