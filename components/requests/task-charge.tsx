import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import type { TaskView } from "@/lib/contract/tasks";
import { SettlementLine } from "./settlement-line";

/** What a result cost; where its request is archived, the way to it. */
export function TaskCharge({ task }: { task: TaskView }) {
  const request = task.entry?.request;
  if (request) return <SettlementLine {...request} heldSince={task.at} />;
  return <ArchivedCharge operationId={task.operationId} />;
}

/** The charge is read from a file when its page is opened, which takes a moment. */
function ArchivedCharge({ operationId }: { operationId: string }) {
  const t = useTranslations("tasks");
  return (
    <p className="flex min-h-12.5 flex-wrap content-center items-baseline gap-x-2 text-muted text-sm">
      {t("archivedRequest")}
      <Link
        href={`/requests/${operationId}`}
        prefetch={false}
        className="rounded-sm text-ink underline decoration-line-strong underline-offset-3 hover:decoration-ink"
      >
        {t("archivedShow")}
      </Link>
    </p>
  );
}
