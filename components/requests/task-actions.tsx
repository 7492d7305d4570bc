import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { DownloadButton } from "@/components/ui/download-button";
import { useFailureText } from "@/components/ui/failure-text";
import { Link } from "@/components/ui/link";
import { RemoveButton } from "@/components/ui/remove-button";
import { useFilePaths, useResultPath } from "@/lib/client/result-url";
import { useMay } from "@/lib/client/shown-account";
import { isOpenTask, useCancelTask, useRemoveTask } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";
import { TimeLeft } from "./time-left";

interface TaskActionsProps {
  task: TaskView;
  /** More to do with it. */
  children?: ReactNode;
  /** All in one line, where there is room. */
  isWide?: boolean;
  onAgain?: (() => void) | undefined;
  onRemoved?: () => void;
}

export function TaskActions(props: TaskActionsProps) {
  const { task, children, isWide = false, onAgain, onRemoved } = props;
  const studio = useTranslations("studio");
  const failureText = useFailureText("cancel");
  const cancel = useCancelTask();
  const path = useResultPath(task);
  const [works, orders] = [useMay("work"), useMay("order")];
  return (
    <div
      className={
        isWide ? "col-span-full flex flex-wrap items-center gap-x-3 gap-y-2" : "grid gap-2"
      }
    >
      {cancel.error ? (
        <p role="alert" className="text-bad text-sm">
          {failureText(cancel.error)}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {path ? <Downloads task={task} path={path} /> : null}
        {!orders ? null : onAgain ? (
          <Button size="small" onClick={onAgain}>
            {studio("again")}
          </Button>
        ) : (
          <Button asChild size="small">
            <Link
              href={`/playground/${task.family}?again=${encodeURIComponent(task.id)}`}
              prefetch={false}
            >
              {studio("again")}
            </Link>
          </Button>
        )}
        {orders && task.status === "queued" ? (
          <Button
            size="small"
            look="quiet"
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate(task)}
          >
            {studio("cancel")}
          </Button>
        ) : null}
        {children}
      </div>
      <div className="flex min-h-8 items-center justify-between gap-2">
        {path && task.result ? <TimeLeft until={task.result.expiresAt} /> : <span />}
        {isOpenTask(task) || !works ? null : <Remove task={task} onRemoved={onRemoved} />}
      </div>
    </div>
  );
}

/** The file, or each of several images by its number. */
function Downloads({ task, path }: { task: TaskView; path: string }) {
  const t = useTranslations("studio");
  const paths = useFilePaths(task);
  if (paths.length < 2)
    return (
      <DownloadButton href={path} look="go" size="small">
        {t("download")}
      </DownloadButton>
    );
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Download aria-hidden className="size-4 text-muted" />
      {paths.map((each, at) =>
        each === null ? null : (
          <Button asChild key={each} size="small" className="num px-2">
            <a href={each} download aria-label={t("downloadOne", { at: at + 1 })}>
              {at + 1}
            </a>
          </Button>
        ),
      )}
    </span>
  );
}

function Remove({ task, onRemoved }: { task: TaskView; onRemoved: (() => void) | undefined }) {
  const t = useTranslations("tasks");
  // The card is removed at once, so callbacks of its mutation would not run.
  const { mutateAsync } = useRemoveTask();
  const texts = {
    remove: t("remove"),
    removeTitle: t("removeTitle"),
    removeNote: t("removeNote"),
    removed: t("removed"),
  };
  const remove = () => mutateAsync(task.id);
  return <RemoveButton isShort texts={texts} remove={remove} onRemoved={onRemoved} />;
}
