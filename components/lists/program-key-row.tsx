import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, Row } from "@/components/ui/table";
import { closing } from "@/components/ui/toast";
import type { FailureText } from "@/lib/client/failure-text";
import { KeepsKeys } from "./keeps-keys";

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
  /** How much it made is in use, where that may go with it. */
  readonly made?: number;
}

export interface ProgramKeyRowProps {
  texts: ProgramKeyTexts;
  programKey: ProgramKey;
  scopes: string;
  makers?: string | undefined;
  revoke: (revoked: { id: string; keepsKeys: boolean }) => Promise<unknown>;
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
  programKey: { id, name, hint, made = 0 },
  revoke,
  failureText,
  onClose,
}: ProgramKeyRowProps & { onClose: () => void }) {
  const t = useTranslations(texts);
  const form = useServerForm({
    start: { keepsKeys: false },
    send: ({ keepsKeys }) => revoke({ id, keepsKeys }),
    onDone: closing(onClose, t("revoked", { name })),
    ...(failureText && { failureText }),
  });
  return (
    <FormDialog
      form={form}
      title={t("revokeTitle")}
      note={t("revokeNote", { name, hint })}
      go={t("revoke")}
      isDangerous
      onClose={onClose}
    >
      {made === 0 ? null : (
        <KeepsKeys
          texts="managementKeys"
          keys={made}
          keepsKeys={form.watch().keepsKeys}
          onChange={(keepsKeys) => form.change({ keepsKeys })}
        />
      )}
    </FormDialog>
  );
}
