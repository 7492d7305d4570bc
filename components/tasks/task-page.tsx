"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { ChainLinks } from "@/components/requests/chain-links";
import { FamilyTag } from "@/components/requests/family-tag";
import { useReasonText } from "@/components/requests/reason-text";
import { Calculation, CopyableLine, Line, Part } from "@/components/requests/request-parts";
import { SettlementLine } from "@/components/requests/settlement-line";
import { TaskActions } from "@/components/requests/task-actions";
import { StatusPill } from "@/components/requests/task-card";
import { TaskCharge } from "@/components/requests/task-charge";
import { TaskFrame } from "@/components/requests/task-frame";
import { useTaskName } from "@/components/requests/task-name";
import { Card } from "@/components/ui/card";
import { CodeSamples } from "@/components/ui/code-samples";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { imageBody, imageSettingsOfTask } from "@/lib/client/image-settings";
import { imageRequestSamples, videoRequestSamples } from "@/lib/client/request-samples";
import { useLastFramePath } from "@/lib/client/result-url";
import { videoSettingsOf } from "@/lib/client/stored-video";
import { useTask } from "@/lib/client/tasks";
import { useRequestDetail } from "@/lib/client/usage";
import { taskBody } from "@/lib/client/video-settings";
import type { EntryView } from "@/lib/contract/entries";
import type { TaskDetailView, TaskView } from "@/lib/contract/tasks";
import { CallbackPart } from "./callback-part";
import { SettingsPart } from "./settings-part";
import { TimelinePart } from "./timeline-part";

/** The page of one video or image. Its URL is permanent. */
export function TaskPage({ id, baseUrl }: { id: string; baseUrl: string }) {
  const t = useTranslations("tasks");
  const { data, error, refetch } = useTask(id);
  const title = data ? t(data.task.family === "video" ? "aVideo" : "anImage") : t("aTask");
  return (
    <>
      <p className="mb-2 text-sm">
        <Link
          href="/tasks"
          className="rounded-sm text-muted underline underline-offset-3 hover:text-ink"
        >
          {t("all")}
        </Link>
      </p>
      <PageHead title={title}>{data ? <StatusPill task={data.task} /> : null}</PageHead>
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Detail detail={data} baseUrl={baseUrl} /> : null}
      {data || error ? null : <DetailSkeleton />}
    </>
  );
}

const columns = "grid grid-cols-1 items-start gap-3.5 lg:grid-cols-[minmax(0,1fr)_22rem]";

function Detail({ detail, baseUrl }: { detail: TaskDetailView; baseUrl: string }) {
  const t = useTranslations("tasks");
  const router = useRouter();
  const { task, callback } = detail;
  return (
    <div className={columns}>
      <div className="grid min-w-0 grid-cols-1 gap-3.5">
        <h2 className="sr-only">{t("details")}</h2>
        <Card className="grid grid-cols-1 gap-3.5 p-3.5">
          <TaskFrame task={task} look="page" />
          <TaskActions task={task} onRemoved={() => router.push("/tasks")}>
            <ChainLinks task={task} />
          </TaskActions>
          <LastFrame task={task} />
        </Card>
        <Card className="grid grid-cols-1 gap-5 px-5 py-4.5">
          <SettingsPart task={task} />
          <AsCode task={task} baseUrl={baseUrl} />
        </Card>
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-3.5">
        {task.entry?.request ? (
          <MoneyCard task={task} request={task.entry.request} />
        ) : (
          <ArchivedCard task={task} />
        )}
        <Card className="grid grid-cols-1 gap-5 px-5 py-4.5">
          <TimelinePart detail={detail} />
          {callback ? <CallbackPart callback={callback} /> : null}
        </Card>
      </div>
    </div>
  );
}

/** The picture of a video's last frame, where it was ordered. */
function LastFrame({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const path = useLastFramePath(task);
  const name = useTaskName()(task);
  if (path === null) return null;
  return (
    <Part title={t("lastFrame")}>
      <a href={path} download className="block w-fit rounded-md">
        {/* biome-ignore lint/performance/noImgElement: a signed address of a file that is shown once */}
        <img
          src={path}
          alt={t("lastFrameOf", { name })}
          loading="lazy"
          className="h-32 rounded-md bg-wash object-contain"
        />
      </a>
    </Part>
  );
}

interface MoneyCardProps {
  task: TaskView;
  request: NonNullable<EntryView["request"]>;
}

/** The settlement and the calculation of the charge. */
function MoneyCard({ task, request }: MoneyCardProps) {
  const t = useTranslations("tasks");
  const usage = useTranslations("usage.detail");
  const reasonText = useReasonText();
  const { data } = useRequestDetail(task.operationId);
  return (
    <Card className="grid grid-cols-1 gap-5 px-5 py-4.5">
      <div className="grid gap-3">
        <FamilyTag family={task.family}>{task.model}</FamilyTag>
        <SettlementLine {...request} heldSince={task.at} />
        {request.state === "released" ? (
          <Notice tone="ok">
            <p className="font-medium">{usage("notCharged")}</p>
            {task.errorCode ? <p className="text-muted">{reasonText(task.errorCode)}</p> : null}
          </Notice>
        ) : null}
      </div>
      {data?.entry.request && request.settled !== null ? (
        <Calculation detail={data} request={data.entry.request} settled={request.settled} />
      ) : null}
      <Part title={usage("facts")}>
        <dl className="grid gap-1 text-sm">
          <Line name={usage("key")}>
            {request.keyName ? `${request.keyName} ${data?.key?.hint ?? ""}` : usage("noKey")}
          </Line>
          <Line name={usage("by")}>{data?.maker ?? "–"}</Line>
          {task.family === "video" ? <CopyableLine name={t("taskId")} value={task.id} /> : null}
          <CopyableLine name={usage("requestId")} value={request.requestId} />
          <CopyableLine name={usage("operationId")} value={task.operationId} />
        </dl>
        <p className="mt-2 text-sm">
          <Link
            href={`/requests/${task.operationId}`}
            className="rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
          >
            {t("inUsage")}
          </Link>
        </p>
      </Part>
    </Card>
  );
}

/** Instead of the settlement, where the request is archived. */
function ArchivedCard({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const usage = useTranslations("usage.detail");
  return (
    <Card className="grid grid-cols-1 gap-5 px-5 py-4.5">
      <div className="grid gap-1.5">
        <FamilyTag family={task.family}>{task.model}</FamilyTag>
        <TaskCharge task={task} />
      </div>
      <Part title={usage("facts")}>
        <dl className="grid gap-1 text-sm">
          <CopyableLine
            name={task.family === "video" ? t("taskId") : usage("requestId")}
            value={task.id}
          />
          <CopyableLine name={usage("operationId")} value={task.operationId} />
        </dl>
      </Part>
    </Card>
  );
}

/** Code that orders the same again. */
function AsCode({ task, baseUrl }: { task: TaskView; baseUrl: string }) {
  const t = useTranslations("tasks");
  const playground = useTranslations("playground");
  const [videos, images] = [useOfferedOf("video"), useOfferedOf("image")];
  const settings =
    task.family === "video" ? videoSettingsOf(task, videos) : imageSettingsOfTask(task, images);
  if (settings === null || settings.prompt === "") return null;
  const samples =
    "seconds" in settings
      ? videoRequestSamples(baseUrl, taskBody(settings) ?? {})
      : imageRequestSamples(baseUrl, imageBody(settings) ?? {});
  return (
    <details className="min-w-0">
      <summary className="w-fit cursor-pointer rounded-sm font-medium text-sm">
        {playground("asCode")}
      </summary>
      <p className="mt-1 mb-2.5 text-muted text-sm">{t("asCodeNote")}</p>
      <CodeSamples label={playground("asCode")} samples={samples} />
    </details>
  );
}

function DetailSkeleton() {
  return (
    <div className={columns}>
      <Card className="grid gap-3.5 p-3.5">
        <Skeleton className="aspect-video w-full rounded-md" />
        <Skeleton className="h-8 w-72 max-w-full" />
      </Card>
      <Card className="grid gap-4 px-5 py-4.5">
        <Skeleton className="h-4 w-32" />
        <Skeleton className="h-11 w-full" />
        <Skeleton className="h-28 w-full" />
        <Skeleton className="h-24 w-full" />
      </Card>
    </div>
  );
}
