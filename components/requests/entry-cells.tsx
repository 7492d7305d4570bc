import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { DenseColumn } from "@/components/ui/dense-table";
import { PointsText } from "@/components/ui/points-text";
import { RowTime } from "@/components/ui/row-time";
import type { Sorts } from "@/components/ui/use-sorted";
import { readPoints } from "@/lib/client/points-display";
import type { EntryView } from "@/lib/contract/entries";
import { isKeyOf } from "@/lib/values/records";
import { ElapsedTime } from "./elapsed-time";
import { FamilyTag } from "./family-tag";
import { useMadeText } from "./made-text";
import { useReasonText } from "./reason-text";
import { SettlementDots } from "./settlement-dots";
import { Took } from "./took";

type RequestFacts = NonNullable<EntryView["request"]>;

/** The widths of the columns with one of `who`. */
export const entryLayout =
  "@[44rem]/dense:grid-cols-[6.25rem_9.25rem_minmax(0,0.65fr)_minmax(0,1.35fr)_2.25rem_7rem] @4xl/dense:grid-cols-[6.25rem_10.5rem_minmax(0,0.8fr)_minmax(0,1.3fr)_5.25rem_2.25rem_7.25rem]";

/** By what a list of entries can be sorted. */
export const entryValues = {
  time: ({ at }: EntryView) => Date.parse(at),
  model: ({ request }: EntryView) => request?.model ?? null,
  state: ({ request }: EntryView) => request?.state ?? null,
  amount: ({ amount }: EntryView) => readPoints(amount),
};

/** The columns of a list of requests. `who`: whose they are, between the model and what it was. */
export function useEntryColumns(
  who: readonly DenseColumn[],
  sort: Sorts<keyof typeof entryValues>,
): readonly DenseColumn[] {
  const t = useTranslations("entries");
  // A row of two lines has one place for both.
  const isTaken = who.some(({ place }) => place === "body");
  return [
    { name: t("time"), place: "wide", ...sort("time") },
    { name: t("model"), place: "head", ...sort("model") },
    ...who,
    { name: t("details"), place: isTaken ? "wide" : "body" },
    { name: t("took"), place: "widest" },
    { name: t("state"), place: "end", ...sort("state") },
    { name: t("amount"), place: "side", isNumber: true, ...sort("amount") },
  ];
}

interface CellOptions {
  /** What its upstream said. */
  cause?: string | null;
  /** Of its time; the reader's own by default. */
  timeZone?: string | undefined;
}

/** The cells of an entry, in the order of the columns. */
export const entryCells = (
  entry: EntryView,
  who: readonly ReactNode[],
  { cause = null, timeZone }: CellOptions = {},
): readonly ReactNode[] => [
  <RowTime key="time" at={entry.at} timeZone={timeZone} />,
  entry.request ? (
    <FamilyTag key="model" family={entry.request.family}>
      {entry.request.model}
    </FamilyTag>
  ) : (
    <Credit key="model" kind={entry.kind} />
  ),
  ...who,
  entry.request ? (
    <RequestFactsText key="details" request={entry.request} reason={entry.reason} cause={cause} />
  ) : (
    <CreditReason key="details" reason={entry.reason} />
  ),
  entry.request ? <TookText key="took" at={entry.at} request={entry.request} /> : null,
  <span key="state" className="inline-flex items-center gap-2">
    <span className="text-xs @[44rem]/dense:hidden">
      <RowTime at={entry.at} isShort timeZone={timeZone} />
    </span>
    {entry.request ? <SettlementDots state={entry.request.state} /> : null}
  </span>,
  <Amount key="amount" entry={entry} />,
];

function Credit({ kind }: { kind: EntryView["kind"] }) {
  const t = useTranslations("entries.credit");
  return <span className="font-medium">{t(kind === "request" ? "grant" : kind)}</span>;
}

/** Reasons that the product writes itself, with their texts; null where it repeats the kind. */
const systemReasons = {
  "Top-up": null,
  Voucher: null,
  Referral: null,
  Welcome: "welcomePoints",
  "End of points": null,
  "Payment refunded or disputed": "paymentBack",
} as const;

/** An operator's words as they are; the product's own in the reader's language. */
function CreditReason({ reason }: { reason: string | null }) {
  const t = useTranslations("entries");
  if (reason === null || !isKeyOf(systemReasons, reason))
    return <span className="text-muted">{reason}</span>;
  const own = systemReasons[reason];
  return <span className="text-muted">{own && t(own)}</span>;
}

interface RequestFactsTextProps {
  request: RequestFacts;
  reason: string | null;
  /** For operators: what the upstream said. */
  cause?: string | null;
}

/** What was made, or how many tokens it took; then why it was not charged. */
export function RequestFactsText({ request, reason, cause = null }: RequestFactsTextProps) {
  const t = useTranslations("entries");
  const format = useFormatter();
  const madeText = useMadeText();
  const reasonText = useReasonText();
  const { made, inputTokens, outputTokens } = request;
  const hasTokens = made === null && inputTokens !== null && outputTokens !== null;
  const tokens = hasTokens
    ? t("tokens", { input: format.number(inputTokens), output: format.number(outputTokens) })
    : "";
  const facts = made === null ? tokens : madeText(made);
  const why = [reason && reasonText(reason), cause].filter(Boolean).join(" · ");
  return (
    <>
      <span className="num">{facts}</span>
      {why ? <span className="text-muted">{`${facts ? " · " : ""}${why}`}</span> : null}
    </>
  );
}

/** A text request's duration is measured; an order's is the time until it ended. */
function TookText({ at, request }: { at: string; request: RequestFacts }) {
  const { state, durationMs, endedAt } = request;
  if (state === "held" || endedAt === null)
    return (
      <span className="num text-muted">
        <ElapsedTime since={at} />
      </span>
    );
  const lasted = Date.parse(endedAt) - Date.parse(at);
  return <Took ms={request.family === "text" ? (durationMs ?? lasted) : lasted} />;
}

function Amount({ entry }: { entry: EntryView }) {
  const t = useTranslations("settlement");
  const { request } = entry;
  if (request?.state === "held") {
    return (
      <span className="text-held-ink">
        <PointsText value={request.held} />{" "}
        <span className="font-sans tracking-normal">{t("held")}</span>
      </span>
    );
  }
  if (request?.state === "released")
    return <span className="font-sans text-muted tracking-normal">{t("notCharged")}</span>;
  const isAdded = request === null && !entry.amount.startsWith("-");
  return (
    <PointsText
      value={entry.amount}
      form="exact"
      isSigned={request === null}
      className={isAdded ? "text-ok-ink [&>span]:text-inherit" : undefined}
    />
  );
}
