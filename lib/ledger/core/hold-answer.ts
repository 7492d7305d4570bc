/** The text answers of `ledger_hold` to holds. */
import { RelayError } from "../../failures/relay-error";
import type { RemainingLimits } from "./remaining-limits";
import type { HoldResult } from "./verbs";

const momentOf = (seconds: string | undefined) => new Date(Number(seconds) * 1000);

function remainingOf(text: string): RemainingLimits {
  const [kind = "", left = "0"] = text.split("=");
  return { kind, left: BigInt(left) };
}

const textOfHex = (hex: string) => Buffer.from(hex, "hex").toString();

/** A budget that does not have enough left: of a key, a member or a tag. */
function exhaustedOf(text: string): HoldResult {
  const [left = "0", period, seconds, whose, name = "", value = ""] = text.split(":");
  const remaining = BigInt(left);
  if (period === undefined) return { result: "key_budget_exhausted", remaining, renewal: null };
  const renewal = { period, at: momentOf(seconds) };
  if (whose === "member") return { result: "member_budget_exhausted", remaining, renewal };
  if (whose !== "tag") return { result: "key_budget_exhausted", remaining, renewal };
  const tag = { name: textOfHex(name), value: textOfHex(value) };
  return { result: "tag_budget_exhausted", tag, remaining, renewal };
}

/** Parses the answer to one hold. Throws when the hold could not be judged. */
export function readHoldAnswer(answer: string): HoldResult {
  const rest = answer.slice(1);
  switch (answer[0]) {
    case "h": {
      // Only for a key with limits besides its budget, or a member with one.
      const colon = rest.indexOf(":");
      if (colon === -1) return { result: "held", amount: BigInt(rest) };
      const rooms = rest
        .slice(colon + 1)
        .split(":")
        .map(remainingOf);
      return { result: "held", amount: BigInt(rest.slice(0, colon)), rooms };
    }
    case "i": {
      const colon = rest.indexOf(":");
      return {
        result: "insufficient",
        available: BigInt(rest.slice(0, colon)),
        held: BigInt(rest.slice(colon + 1)),
      };
    }
    case "b":
      return exhaustedOf(rest);
    case "c":
      return { result: "key_running", max: Number(rest) };
    case "t": {
      const [max, seconds] = rest.split(":");
      return { result: "key_tokens", max: Number(max), renewsAt: momentOf(seconds) };
    }
    case "x":
      return { result: "account_suspended" };
    default:
      throw new RelayError("internal_error", {
        internal: `the ledger answered "${answer}" to a hold`,
      });
  }
}
