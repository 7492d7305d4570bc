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

/**
 * Like everyone's failure texts, but a wrong input gets the server's own message, which names the
 * field and what is allowed.
 */
export function useOperatorFailureText(): (error: unknown) => string {
  const failureText = useFailureText();
  return (error) =>
    error instanceof RequestError && saidByServer.has(error.code)
      ? error.message
      : failureText(error);
}
