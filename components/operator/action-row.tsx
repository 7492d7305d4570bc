"use client";

import { useTranslations } from "next-intl";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, Row } from "@/components/ui/table";
import type { ActionView } from "@/lib/contract/operator-actions";
import { AccountLink } from "./account-link";

/** One action of the audit log: its name in words where there is one, and all recorded facts. */
export function ActionRow({ action }: { action: ActionView }) {
  const t = useTranslations("operator.audit");
  return (
    <Row>
      <Cell label={t("when")} className="whitespace-nowrap text-muted text-sm @2xl/table:align-top">
        <span className="@max-2xl/table:text-right">
          <RelativeTime at={action.at} />
          <span className="num block text-faint text-xs">{t("row", { seq: action.seq })}</span>
        </span>
      </Cell>
      <Cell label={t("who")} className="text-sm @2xl/table:align-top">
        <span className="wrap-anywhere @max-2xl/table:text-right" title={action.actor}>
          {action.actorEmail ?? action.actor}
        </span>
      </Cell>
      <Cell label={t("what")} className="text-sm @2xl/table:align-top">
        <span className="min-w-0 @max-2xl/table:text-right">
          <code>{action.action}</code>
          <span className="block wrap-anywhere text-muted">
            {action.subject.startsWith("acct_") ? (
              <AccountLink id={action.subject} email={action.subjectEmail} />
            ) : (
              <span title={action.subject}>{action.subjectEmail ?? action.subject}</span>
            )}
          </span>
        </span>
      </Cell>
      <Cell className="text-sm @2xl/table:align-top">
        <Change action={action} />
      </Cell>
    </Row>
  );
}

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : value === undefined || value === null
      ? "–"
      : JSON.stringify(value);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

function Change({ action: { before, after, detail } }: { action: ActionView }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) =>
    before && after
      ? textOf(before[name]) !== textOf(after[name])
      : !isEmpty((before ?? after)?.[name]),
  );
  return (
    <dl className="grid gap-0.5">
      {changed.map((name) => (
        <Fact key={name} name={name}>
          {before ? <del className="text-muted">{textOf(before[name])}</del> : null}
          {before && after ? " → " : null}
          {after ? <ins className="no-underline">{textOf(after[name])}</ins> : null}
        </Fact>
      ))}
      {Object.entries(detail).map(([name, value]) => (
        <Fact key={name} name={name}>
          {textOf(value)}
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
