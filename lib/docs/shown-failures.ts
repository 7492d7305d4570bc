import { type FailureCode, failures } from "../failures/failure-table";
import { keysOf } from "../values/records";

/** Failures that only the pages' API returns. */
const ofPages: readonly FailureCode[] = [
  "sign_in_required",
  "wrong_credentials",
  "sign_up_closed",
  "human_check_failed",
  "proof_required",
  "role_not_allowed",
  "invitation_not_yours",
  "owns_other_account",
  "account_changed",
  "cross_site_request",
  "sign_in_rate_limited",
  "payment_rate_limited",
  "already_exists",
  "changed_meanwhile",
  "link_invalid",
  "email_changed_lately",
  "requests_running",
  "last_operator",
  "range_too_large",
];

/** The failures that the documentation lists. */
export const shownFailures = keysOf(failures).filter((code) => !ofPages.includes(code));
