import { useTranslations } from "next-intl";
import { Fragment } from "react";
import type { ActionView } from "@/lib/contract/operator-actions";
import { type AuditChange, changesOf } from "./audit-changes";
import { useAuditNames, useAuditValue } from "./audit-words";

/** Shown as a model's file has them. */
const fileFields = ["spec", "names", "rates"];

/** `1 → 0.75`, or one value. */
function Values({ change, action }: { change: AuditChange; action: ActionView }) {
  const valueText = useAuditValue();
  // A named member of a field has values of its own, a model of a channel has the field's.
  const field = change.member ?? change.field;
  const Text = fileFields.includes(change.field) ? "code" : Fragment;
  return (
    <>
      {"before" in change ? (
        <del className="text-muted no-underline">
          <Text>{valueText(field, change.before, action)}</Text>
        </del>
      ) : null}
      {"before" in change && "after" in change ? <span className="text-muted"> → </span> : null}
      {"after" in change ? (
        <ins className="no-underline">
          <Text>{valueText(field, change.after, action)}</Text>
        </ins>
      ) : null}
    </>
  );
}

const SHOWN_MAX = 3;

export function ChangeLine({ action }: { action: ActionView }) {
  const names = useAuditNames();
  const ui = useTranslations("ui");
  const all = changesOf(action);
  const more = all.length - SHOWN_MAX;
  return (
    <>
      {all.slice(0, SHOWN_MAX).map((change, at) => (
        <span key={`${change.field} ${change.member ?? ""}`}>
          {at > 0 ? <span className="text-muted"> · </span> : null}
          <span className="text-muted">{names.field(change.field, change.member)}</span>{" "}
          <Values change={change} action={action} />
        </span>
      ))}
      {more > 0 ? (
        <span className="text-muted">{` · ${ui("andMore", { count: more })}`}</span>
      ) : null}
    </>
  );
}

/** All changes of an action, a line each. */
export function ChangeList({ action }: { action: ActionView }) {
  const names = useAuditNames();
  return (
    <dl className="grid gap-2.5 text-sm">
      {changesOf(action).map((change) => (
        <div key={`${change.field} ${change.member ?? ""}`}>
          <dt className="text-muted text-xs">{names.field(change.field, change.member)}</dt>
          <dd className="wrap-anywhere">
            <Values change={change} action={action} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
