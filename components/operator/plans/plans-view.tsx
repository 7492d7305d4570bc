"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Pill } from "@/components/ui/pill";
import { usePlanText } from "@/components/ui/plan-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, HiddenHead, NumberCell, NumberHead, Row } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { plansQuery } from "@/lib/client/operator-plans";
import type { OperatorPlanView } from "@/lib/contract/operator-plans";
import { AccountLink } from "../account-link";
import { PlanDialog } from "./plan-dialog";
import { RetirePlanDialog } from "./retire-plan-dialog";

/** The plans, with the number of their accounts. */
export function PlansView() {
  const t = useTranslations("operator.plans");
  const query = useQuery(plansQuery);
  const { rows, sort } = useSorted(query.data?.plans ?? [], {
    name: ({ name }) => name,
    state: (plan) => stateOf(plan),
    accounts: ({ accounts }) => accounts,
  });
  const [edited, setEdited] = useState<OperatorPlanView | "new" | null>(null);
  const [retired, setRetired] = useState<OperatorPlanView | null>(null);
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <Button look="go" onClick={() => setEdited("new")}>
          {t("add")}
        </Button>
      </PageHead>
      <ListCard
        id="plans"
        title={t("title")}
        isPageTitle
        isWide
        note={t("listNote")}
        query={query}
        empty={t("empty")}
        columns={
          <>
            <ColumnHead {...sort("name")}>{t("name")}</ColumnHead>
            <ColumnHead {...sort("state")}>{t("state")}</ColumnHead>
            <ColumnHead>{t("group")}</ColumnHead>
            <ColumnHead isNumber>{t("price")}</ColumnHead>
            <NumberHead {...sort("accounts")}>{t("accounts")}</NumberHead>
            <HiddenHead>{t("change")}</HiddenHead>
          </>
        }
        rows={rows.map((plan) => (
          <PlanRow
            key={plan.id}
            plan={plan}
            onChange={() => setEdited(plan)}
            onRetire={() => setRetired(plan)}
          />
        ))}
      />
      {edited ? (
        <PlanDialog before={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
      {retired ? <RetirePlanDialog plan={retired} onClose={() => setRetired(null)} /> : null}
    </>
  );
}

const stateOf = ({ isRetired, isOffered }: OperatorPlanView) =>
  isRetired ? "retired" : isOffered ? "offered" : "hidden";

interface PlanRowProps {
  plan: OperatorPlanView;
  onChange: () => void;
  onRetire: () => void;
}

function PlanRow({ plan, onChange, onRetire }: PlanRowProps) {
  const t = useTranslations("operator.plans");
  const text = usePlanText();
  const { name, note, group, accounts, isRetired } = plan;
  const state = stateOf(plan);
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="block text-muted text-sm">{text.terms(plan)}</span>
        {note ? <span className="block text-sm wrap-anywhere">{note}</span> : null}
        {plan.unpaidCount > 0 ? <Unpaid of={plan} /> : null}
      </Cell>
      <Cell label={t("state")}>
        <Pill tone={state === "offered" ? "ok" : "plain"}>{t(`states.${state}`)}</Pill>
      </Cell>
      <Cell label={t("group")} className={group ? "wrap-anywhere" : "break-keep"}>
        {group?.name ?? t("noGroup")}
      </Cell>
      <NumberCell label={t("price")}>
        <span>
          {text.price(plan)}
          {plan.advancePeriods === null ? null : (
            <span className="block text-muted text-xs">{text.advance(plan)}</span>
          )}
        </span>
      </NumberCell>
      <NumberCell label={t("accounts")}>{accounts}</NumberCell>
      <Cell className="rows:text-right">
        <span className="inline-flex justify-end gap-2">
          <Button size="small" aria-label={t("changeLabel", { name })} onClick={onChange}>
            {t("change")}
          </Button>
          {isRetired ? null : (
            <Button size="small" aria-label={t("retireLabel", { name })} onClick={onRetire}>
              {t("retire")}
            </Button>
          )}
        </span>
      </Cell>
    </Row>
  );
}

/** Who has not paid, and when the plan ends for that; how many more there are. */
function Unpaid({ of: { unpaid, unpaidCount } }: { of: OperatorPlanView }) {
  const t = useTranslations("operator.plans");
  return (
    <ul className="mt-1 grid gap-0.5 text-sm">
      {unpaid.map(({ accountId, email, until }) => (
        <li key={accountId} className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-bad">{t("unpaid")}</span>
          <AccountLink id={accountId} email={email} />
          <span className="text-muted">
            {t.rich("unpaidUntil", { at: () => <RelativeTime at={until} /> })}
          </span>
        </li>
      ))}
      {unpaidCount > unpaid.length ? (
        <li className="text-muted">{t("unpaidMore", { count: unpaidCount - unpaid.length })}</li>
      ) : null}
    </ul>
  );
}
