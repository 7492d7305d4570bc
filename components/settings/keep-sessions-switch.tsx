"use client";

import { useTranslations } from "next-intl";
import { useFailureText } from "@/components/ui/failure-text";
import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { useChangeKeepsSessions } from "@/lib/client/settings";

/** Whether sessions of the playground are kept. */
export function KeepSessionsSwitch({ keepsSessions }: { keepsSessions: boolean }) {
  const t = useTranslations("settings");
  const failureText = useFailureText();
  const change = useChangeKeepsSessions();
  const shown = change.isPending ? change.variables : keepsSessions;
  return (
    <Segmented
      className="max-w-sm self-start"
      label={t("sessionsKept")}
      options={[
        { value: "keep", label: t("sessionsKeep") },
        { value: "none", label: t("sessionsKeepNone") },
      ]}
      value={shown ? "keep" : "none"}
      onChange={(value) =>
        change.mutate(value === "keep", {
          onSuccess: () => showToast(t(value === "keep" ? "sessionsOn" : "sessionsRemoved")),
          onError: (error) => showToast(failureText(error), "bad"),
        })
      }
    />
  );
}
