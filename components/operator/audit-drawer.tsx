import { useTranslations } from "next-intl";
import { Drawer } from "@/components/lists/drawer";
import type { OpenRow } from "@/components/lists/use-open-row";
import { CopyableLine, Line, Part } from "@/components/requests/request-parts";
import { ExactTime } from "@/components/ui/exact-time";
import { RowTime } from "@/components/ui/row-time";
import { useAction } from "@/lib/client/operator-lists";
import type { ActionView } from "@/lib/contract/operator-actions";
import { AccountLink } from "./account-link";
import { changesOf } from "./audit-changes";
import { useAuditNames, useSubjectText } from "./audit-words";
import { ChangeList } from "./change-text";

interface AuditDrawerProps {
  seq: string;
  row: OpenRow;
  listed: ActionView | undefined;
}

/** An action of the audit log. `listed`: the action, if the list has it. */
export function AuditDrawer({ seq, row, listed }: AuditDrawerProps) {
  const t = useTranslations("operator.audit");
  const query = useAction(seq, listed);
  const action = listed ?? query.data?.action ?? null;
  return (
    <Drawer
      title={t("action")}
      note={action ? <RowTime at={action.at} /> : null}
      query={{ ...query, data: action ?? query.data }}
      row={row}
    >
      {action ? <Details action={action} /> : null}
      {query.data && action === null ? <p className="text-muted">{t("noSuchRow")}</p> : null}
    </Drawer>
  );
}

function Details({ action }: { action: ActionView }) {
  const t = useTranslations("operator.audit");
  const names = useAuditNames();
  const subjectText = useSubjectText()(action);
  const { subject, subjectEmail } = action;
  return (
    <div className="grid gap-5">
      <p className="font-medium">{names.action(action.action)}</p>
      {changesOf(action).length > 0 ? (
        <Part title={t("change")}>
          <ChangeList action={action} />
        </Part>
      ) : null}
      <Part title={t("facts")}>
        <dl className="grid gap-1 text-sm">
          <Line name={t("who")}>{names.actor(action)}</Line>
          <Line name={t("filter.subject")}>
            {subject.startsWith("acct_") ? (
              <AccountLink id={subject} email={subjectEmail} />
            ) : (
              subjectText
            )}
          </Line>
          <Line name={t("when")}>
            <ExactTime at={action.at} />
          </Line>
          {subject === subjectText ? null : <CopyableLine name={t("subjectId")} value={subject} />}
          <Line name={t("rowName")}>{action.seq}</Line>
          <CopyableLine name={t("code")} value={action.action} />
          <CopyableLine name={t("hash")} value={action.hash} />
        </dl>
      </Part>
    </div>
  );
}
