"use client";

import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, Row } from "@/components/ui/table";
import type { EntryView } from "@/lib/contract/entries";
import { isKeyOf } from "@/lib/records";
import { FamilyTag } from "./family-tag";
import { useReasonText } from "./reason-text";
import { SettlementLine } from "./settlement-line";

type RequestEntry = EntryView & { request: NonNullable<EntryView["request"]> };

function isRequest(entry: EntryView): entry is RequestEntry {
  return entry.request !== null;
}

/** `req_01k8…c2d`: enough to recognize. The copy button copies the whole id. */
function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 9)}…${id.slice(-4)}`;
}

/** The column heads of entry rows. */
export function EntryColumns() {
  const t = useTranslations("entries");
  return (
    <>
      <ColumnHead className="w-58">{t("what")}</ColumnHead>
      <ColumnHead>{t("line")}</ColumnHead>
      <ColumnHead isNumber>{t("amount")}</ColumnHead>
    </>
  );
}

interface EntryRowProps {
  entry: EntryView;
  /** The link to a request's details; by default on the usage page. */
  href?: string | undefined;
  /** Further content for a request. */
  children?: ReactNode;
}

export function EntryRow({ entry, href, children }: EntryRowProps) {
  if (!isRequest(entry)) return <CreditRow entry={entry} />;
  return (
    <RequestRow entry={entry} href={href ?? `/usage?request=${entry.id}`}>
      {children}
    </RequestRow>
  );
}

function RequestRow({
  entry,
  href,
  children,
}: {
  entry: RequestEntry;
  href: string;
  children?: ReactNode;
}) {
  const reasonText = useReasonText();
  const t = useTranslations("entries");
  const format = useFormatter();
  const { request } = entry;
  const hasTokens = request.inputTokens !== null && request.outputTokens !== null;
  return (
    <Row>
      <Cell>
        <Link
          href={href}
          prefetch={false}
          scroll={false}
          className="rounded-sm underline decoration-transparent underline-offset-3 hover:decoration-line-strong"
        >
          <FamilyTag family={request.family}>{request.model}</FamilyTag>
        </Link>
        <span className="flex items-center gap-1 text-muted text-sm">
          <code title={request.requestId}>{shortId(request.requestId)}</code>
          <CopyButton
            text={request.requestId}
            what={t("requestId")}
            look="quiet"
            hasText={false}
            className="-my-1 size-7 p-0"
          />
        </span>
        <span className="block text-muted text-sm">
          <RelativeTime at={entry.at} />
          {request.keyName ? <span className="wrap-anywhere"> · {request.keyName}</span> : null}
        </span>
        {children}
      </Cell>
      <Cell className="@max-2xl/table:py-3">
        <SettlementLine {...request} heldSince={entry.at} />
        {entry.reason ? (
          <span className="mt-1 block wrap-anywhere text-muted text-xs">
            {reasonText(entry.reason)}
          </span>
        ) : null}
        {hasTokens ? (
          <span className="num mt-1 block text-faint text-xs">
            {t("tokens", {
              input: format.number(request.inputTokens ?? 0),
              output: format.number(request.outputTokens ?? 0),
            })}
          </span>
        ) : null}
      </Cell>
      <Cell isNumber label={t("amount")}>
        {request.state === "held" ? (
          <span className="text-held-ink">
            <PointsText value={request.held} form="exact" className="[&>span]:text-inherit" />
            <span className="block font-sans text-xs tracking-normal">{t("heldNow")}</span>
          </span>
        ) : (
          <PointsText value={entry.amount} form="exact" />
        )}
      </Cell>
    </Row>
  );
}

/** Reasons that the product writes itself, with their texts; the first two repeat the kind. */
const systemReasons = { "Top-up": null, Voucher: null, Welcome: "welcomePoints" } as const;

/** An operator's words as they are; the product's own in the reader's language. */
function useCreditReason(): (reason: string | null) => string | null {
  const t = useTranslations("entries");
  return (reason) => {
    if (reason === null || !isKeyOf(systemReasons, reason)) return reason;
    const own = systemReasons[reason];
    return own && t(own);
  };
}

function CreditRow({ entry }: { entry: EntryView }) {
  const t = useTranslations("entries");
  const creditReason = useCreditReason();
  const kind = entry.kind === "request" ? "grant" : entry.kind;
  const isAdded = !entry.amount.startsWith("-");
  return (
    <Row>
      <Cell>
        <span className="font-medium text-sm">{t(`credit.${kind}`)}</span>
        <span className="block text-muted text-sm">
          <RelativeTime at={entry.at} />
        </span>
      </Cell>
      <Cell className="wrap-anywhere text-muted text-sm @max-2xl/table:empty:hidden">
        {creditReason(entry.reason)}
      </Cell>
      <Cell isNumber label={t("amount")}>
        <PointsText
          value={entry.amount}
          form="exact"
          isSigned
          className={isAdded ? "text-ok-ink [&>span]:text-inherit" : ""}
        />
      </Cell>
    </Row>
  );
}
