import { useTranslations } from "next-intl";
import type { TaskView } from "@/lib/contract/tasks";
import { madeOf, useMadeText } from "./made-text";

/** `720p · 16:9 · 5 s · Draft`, or `2048 × 2048 · × 4`: as delivered, or as ordered until then. */
export function TaskFacts({ task }: { task: TaskView }) {
  const { settings, delivered } = task;
  const madeText = useMadeText();
  const t = useTranslations("tasks");
  const count = task.files.filter(({ errorCode }) => errorCode === null).length || settings.count;
  const tier = delivered?.serviceTier ?? settings.more.service_tier;
  const all = [
    madeText(madeOf(task)),
    count > 1 ? `× ${count}` : null,
    settings.more.draft ? t("draft") : null,
    tier === "flex" ? t("flex") : null,
  ];
  return <span className="num text-muted">{all.filter(Boolean).join(" · ")}</span>;
}
