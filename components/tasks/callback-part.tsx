import { useLocale, useTranslations } from "next-intl";
import { Line, Part } from "@/components/requests/request-parts";
import { exactTime } from "@/lib/client/times";
import type { TaskDetailView } from "@/lib/contract/tasks";

/** The state last sent to the task's callback address, and the address's last answer. */
export function CallbackPart({ callback }: { callback: NonNullable<TaskDetailView["callback"]> }) {
  const t = useTranslations("tasks.callback");
  const studio = useTranslations("studio");
  const locale = useLocale();
  return (
    <Part title={t("title")}>
      <p className="mb-2 break-all font-mono text-xs">{callback.url}</p>
      <dl className="grid gap-1 text-sm">
        {callback.deliveries.map(
          ({ status, attempts, lastAnswer, deliveredAt, givenUpAt, nextAttemptAt }) => (
            <Line key={status} name={studio(status as "queued")}>
              <span className="block">
                {deliveredAt ? t("delivered") : givenUpAt ? t("givenUp") : t("waiting")} ·{" "}
                {t("attempts", { count: attempts })}
              </span>
              <span className="block text-muted text-xs">
                {lastAnswer === null
                  ? null
                  : /^\d{3}$/.test(lastAnswer)
                    ? t("lastAnswer", { answer: lastAnswer })
                    : t(lastAnswer === "key revoked" ? "keyRevoked" : "noAnswer")}
                {nextAttemptAt && attempts > 0
                  ? ` ${t("next", { at: exactTime(nextAttemptAt, locale) })}`
                  : null}
              </span>
            </Line>
          ),
        )}
      </dl>
    </Part>
  );
}
