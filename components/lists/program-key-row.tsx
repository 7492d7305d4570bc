import { useTranslations } from "next-intl";
import { useState } from "react";
import { AskDialog } from "@/components/forms/ask-dialog";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, Row } from "@/components/ui/table";
import type { FailureText } from "@/lib/client/failure-text";

/** The groups of messages of its two kinds, which have the same names. */
export type ProgramKeyTexts = "managementKeys" | "operator.keys";

export interface ProgramKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly status: "active" | "expired" | "revoked";
  readonly lastUsedAt: string | null;
  /** Where several people make keys of this kind. */
  readonly madeBy?: string;
}

export interface ProgramKeyRowProps {
  texts: ProgramKeyTexts;
  programKey: ProgramKey;
  scopes: string;
  makers?: string | undefined;
  revoke: (id: string) => Promise<unknown>;
  failureText?: FailureText | undefined;
}

export function ProgramKeyRow(props: ProgramKeyRowProps) {
  const t = useTranslations(props.texts);
  const [isRevoking, setIsRevoking] = useState(false);
  const { name, hint, madeBy, lastUsedAt, status } = props.programKey;
  const isActive = status === "active";
  return (
    <Row className={cn(!isActive && "text-muted")}>
      <Cell className="max-w-60 cards:max-w-none cards:pb-1">
        <span className="wrap-anywhere font-medium">{name}</span>
      </Cell>
      <Cell label={t("key")}>
        <code className="whitespace-nowrap text-sm">{hint}</code>
      </Cell>
      <Cell label={t("scopes")} className="max-w-72 cards:max-w-none text-muted text-sm">
        <span className="cards:text-right">{props.scopes}</span>
      </Cell>
      {props.makers === undefined ? null : (
        <Cell label={props.makers} className="text-muted text-sm">
          <span className="wrap-anywhere">{madeBy}</span>
        </Cell>
      )}
      <Cell label={t("lastUsed")} className="text-muted text-sm">
        {lastUsedAt ? <RelativeTime at={lastUsedAt} /> : t("never")}
      </Cell>
      <Cell label={t("status")}>
        <Pill tone={isActive ? "ok" : "plain"}>{t(`statuses.${status}`)}</Pill>
      </Cell>
      <Cell className="cards:pt-2 rows:text-right">
        {isActive ? (
          <Button aria-label={t("revokeOne", { name })} onClick={() => setIsRevoking(true)}>
            {t("revoke")}
          </Button>
        ) : null}
        {isRevoking ? <RevokeDialog {...props} onClose={() => setIsRevoking(false)} /> : null}
      </Cell>
    </Row>
  );
}

function RevokeDialog({
  texts,
  programKey: { id, name, hint },
  revoke,
  failureText,
  onClose,
}: ProgramKeyRowProps & { onClose: () => void }) {
  const t = useTranslations(texts);
  return (
    <AskDialog
      send={() => revoke(id)}
      done={() => t("revoked", { name })}
      onClose={onClose}
      title={t("revokeTitle")}
      note={t("revokeNote", { name, hint })}
      go={t("revoke")}
      isDangerous
      {...(failureText && { failureText })}
    />
  );
}
