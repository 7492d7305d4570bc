"use client";

import { useTranslations } from "next-intl";
import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useChangeRetryJoins } from "@/lib/client/settings";

/** Whether a client library's retry joins the video or image that it repeats. */
export function RetryJoinsSwitch({ joinsRetries }: { joinsRetries: boolean }) {
  const t = useTranslations("settings");
  const showFailure = useFailureToast();
  const change = useChangeRetryJoins();
  const shown = change.isPending ? change.variables : joinsRetries;
  return (
    <Segmented
      className="max-w-sm self-start"
      label={t("retries")}
      options={[
        { value: "join", label: t("retriesJoin") },
        { value: "order", label: t("retriesOrder") },
      ]}
      value={shown ? "join" : "order"}
      onChange={(value) =>
        change.mutate(value === "join", {
          onSuccess: () => showToast(t("retriesSaved")),
          onError: showFailure,
        })
      }
    />
  );
}
