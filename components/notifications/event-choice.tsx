import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { FieldError } from "@/components/ui/field";
import { choicesQuery } from "@/lib/client/notifications";
import { customerKinds } from "@/lib/contract/notification-kinds";
import type { NotificationKind } from "@/lib/contract/states";

interface EventChoiceProps {
  kinds: readonly NotificationKind[];
  onChange: (kinds: NotificationKind[]) => void;
  error: string | undefined;
}

/** What an endpoint is told of: at least one. */
export function EventChoice({ kinds, onChange, error }: EventChoiceProps) {
  const t = useTranslations("notifications");
  const errorId = useId();
  // The server decides which events this user may be notified of.
  const { data } = useQuery(choicesQuery);
  const offered = data?.kinds.map(({ kind }) => kind) ?? customerKinds;
  const toggle = (kind: NotificationKind) =>
    onChange(kinds.includes(kind) ? kinds.filter((each) => each !== kind) : [...kinds, kind]);
  return (
    <fieldset aria-describedby={error && errorId} className="grid gap-1">
      <legend className="mb-1 font-medium text-sm">{t("events")}</legend>
      {offered.map((kind) => (
        <label key={kind} className="flex items-baseline gap-2.5 py-0.5 text-sm">
          <input
            type="checkbox"
            className="size-4 translate-y-0.5 accent-(--ink)"
            checked={kinds.includes(kind)}
            onChange={() => toggle(kind)}
          />
          <span className="flex-1">{t(`kinds.${kind}`)}</span>
        </label>
      ))}
      <FieldError id={errorId} text={error} />
    </fieldset>
  );
}
