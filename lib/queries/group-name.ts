import type { ChartGrouping, SummaryGrouping } from "../contract/states";

/** SQL: the name of a group of the account `$1`: of a key, or a member's address; else null. */
export function groupName(group: ChartGrouping | SummaryGrouping | undefined, id: string): string {
  if (group === "key")
    return `(select k.name from api_key k where k.id = ${id} and k.account_id = $1)`;
  if (group === "member") return `(select u.email from "user" u where u.id = ${id})`;
  return "null::text";
}
