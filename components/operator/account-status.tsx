import { useTranslations } from "next-intl";
import { Pill } from "@/components/ui/pill";
import type { AccountLine } from "@/lib/contract/operator-accounts";

export function AccountStatus({ status, isOperator }: Pick<AccountLine, "status" | "isOperator">) {
  const t = useTranslations("operator.accounts");
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Pill tone={status === "active" ? "ok" : "bad"}>{t(`statuses.${status}`)}</Pill>
      {isOperator ? <Pill>{t("operator")}</Pill> : null}
    </span>
  );
}
