import type { FieldValues } from "react-hook-form";
import { type ServerFormOptions, useServerForm } from "@/components/forms/use-server-form";
import { useOperatorFailureText } from "./operator-failure";

/** A form of the operators' pages: wrong input gets the server's own message. */
export function useOperatorForm<Values extends FieldValues, Answer>(
  options: ServerFormOptions<Values, Answer>,
) {
  return useServerForm({ failureText: useOperatorFailureText(), ...options });
}
