import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useReasonText } from "@/components/requests/reason-text";
import { moneyText } from "@/lib/client/money-text";
import { exactPoints } from "@/lib/client/points-display";
import { exactTime } from "@/lib/client/times";
import { type AuditAction, auditActions, auditFields } from "@/lib/contract/audit-actions";
import { profileParts } from "@/lib/contract/channel-profile";
import type { ActionView } from "@/lib/contract/operator-actions";
import { liveSettingNames } from "@/lib/contract/setting-names";
import { incidentStates, memberRoles, modelStates, planPeriods } from "@/lib/contract/states";
import { paymentAttentions } from "@/lib/contract/topup-states";
import { formatPoints, shortDecimal } from "@/lib/money/points";
import { listText } from "@/lib/values/list-text";
import { isRecord } from "@/lib/values/records";
import { useActorText } from "./actor-text";

/** Values of the log that are words themselves. */
const valueNames = [
  "active",
  "suspended",
  "closed",
  "draining",
  "disabled",
  "info",
  "warning",
  "open",
  "invite",
  "yes",
  "no",
  "none",
  ...paymentAttentions,
  ...incidentStates,
  ...modelStates,
  "answered",
  "accepted",
  "reached",
] as const;
const namedFields = ["status", "state", "level", "value", "attention", "stage"];
/** Recorded as whole millionths by the database itself, and for prices of upstreams. */
const millionthFields = ["spent", "hourlySpendMax", "input", "output"];
const limitedNames = [
  "sign-in",
  "sign-up",
  "link",
  "device",
  "session",
  "address",
  "voucher",
  "mail",
  "mail-from",
  "mail-new",
  "email",
] as const;

const find = <Name extends string>(names: readonly Name[], name: string): Name | undefined =>
  names.find((each) => each === name);

/** The names of actions, fields and who acted, in words. A name without words stays as it is. */
export function useAuditNames() {
  const t = useTranslations("operator.audit");
  const parts = useTranslations("operator.channels.profileParts");
  const actorText = useActorText();
  return {
    action(name: string): string {
      const known: AuditAction | undefined = find(auditActions, name);
      return known === undefined ? name : t(`actions.${known}`);
    },
    field(name: string, member?: string): string {
      const word = (each: string) => {
        const known = find(auditFields, each);
        if (known !== undefined) return t(`fields.${known}`);
        const part = find(profileParts, each);
        return part === undefined ? each : parts(part);
      };
      return member === undefined
        ? word(name)
        : t("memberOf", { field: word(name), member: word(member) });
    },
    actor(action: Pick<ActionView, "actor" | "actorEmail" | "actorName">): string {
      const { actor, actorEmail, actorName } = action;
      if (actorName !== null) return t("actors.key", { name: actorName });
      return actorEmail ?? actorText(actor);
    },
  };
}

/** What an action was done to: a person's address, a name, or an id. */
export function useSubjectText(): (action: ActionView) => string {
  const t = useTranslations("operator.audit.subjects");
  const settings = useTranslations("operator.settings.names");
  return ({ action, subject, subjectEmail, subjectName, before, after }) => {
    if (subjectEmail !== null) return subjectEmail;
    if (action === "attempts.limited") {
      const [kind = "", ...rest] = subject.split(":");
      const known = find(limitedNames, kind);
      return known === undefined ? subject : t(known, { name: rest.join(":") });
    }
    const setting = action.startsWith("setting.") ? find(liveSettingNames, subject) : undefined;
    if (setting !== undefined) return settings(setting);
    if (subject === "installation" || subject === "ledger") return t(subject);
    const name = (after ?? before)?.name;
    return typeof name === "string" ? name : (subjectName ?? subject);
  };
}

/** A value of a field of an action, for people. */
export function useAuditValue(): (
  field: string,
  value: unknown,
  action: Pick<ActionView, "before" | "after" | "names">,
) => string {
  const t = useTranslations("operator.audit.values");
  const format = useFormatter();
  const reasonText = useReasonText();
  const roles = useTranslations("ui.roles");
  const periods = useTranslations("operator.plans.periods");
  const locale = useLocale();
  const textValue = (field: string, value: string): string => {
    if (field === "code") return reasonText(value);
    const role = field === "role" ? find(memberRoles, value) : undefined;
    if (role !== undefined) return roles(role);
    const period = field === "period" ? find(planPeriods, value) : undefined;
    if (period !== undefined) return periods(period);
    const named = namedFields.includes(field) ? find(valueNames, value) : undefined;
    if (named !== undefined) return t(named);
    if (millionthFields.includes(field) && /^\d{1,24}$/.test(value))
      return shortDecimal(exactPoints(formatPoints(BigInt(value))));
    if (/^-?\d+\.\d{6}$/.test(value)) return shortDecimal(exactPoints(value));
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? exactTime(value, locale) : value;
  };
  return function valueText(field, value, action): string {
    if (value === null || value === undefined) return t("none");
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    if (typeof value === "number") {
      const { currency } = action.after ?? action.before ?? {};
      return field === "amount" && typeof currency === "string"
        ? moneyText(value, currency, locale)
        : format.number(value);
    }
    if (typeof value === "string") return action.names[value] ?? textValue(field, value);
    if (Array.isArray(value)) {
      const empty = field === "models" ? t("all") : t("none");
      return (
        listText(
          value.map((each) => valueText(field, each, action)),
          locale,
        ) || empty
      );
    }
    if (!isRecord(value)) return String(value);
    const members = Object.entries(value).map(([name, each]) => {
      const text = valueText(field, each, action);
      return text === name ? name : `${name} → ${text}`;
    });
    return listText(members, locale) || t("none");
  };
}
