"use client";

import { useFailureText } from "@/components/ui/failure-text";
import { RequestError } from "@/lib/client/call";

const saidByServer = new Set([
  "invalid_value",
  "unsupported_value",
  "missing_required_parameter",
  "unknown_parameter",
  "already_exists",
  "not_found",
  "model_not_found",
  "insufficient_points",
]);

/** As for everyone, but what an operator sent wrongly is told in the server's own words: they name the field and what is allowed. */
export function useOperatorFailureText(): (error: unknown) => string {
  const failureText = useFailureText();
  return (error) =>
    error instanceof RequestError && saidByServer.has(error.code)
      ? error.message
      : failureText(error);
}
