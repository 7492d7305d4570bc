import { keysOf } from "../values/records";
import { causeReasons, type FailureCause } from "./states";

/** The cause of a release by its reason in the ledger; `server` for all that is ours. */
export const failureCauseOf = (reason: string): FailureCause =>
  keysOf(causeReasons).find((cause) => causeReasons[cause].some((each) => each === reason)) ??
  "server";
