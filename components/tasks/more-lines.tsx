import { useTranslations } from "next-intl";
import { Line } from "@/components/requests/request-parts";
import { Link } from "@/components/ui/link";
import { useListText } from "@/components/ui/use-list-text";
import type { TaskView } from "@/lib/contract/tasks";

const HOUR = 3600;
const isTier = (tier: string): tier is "default" | "flex" => tier === "default" || tier === "flex";

/** What was ordered besides, and what the upstream says of it. */
export function MoreLines({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const studio = useTranslations("studio");
  const { settings } = task;
  const { more, draftTask, count, isSequence } = settings;
  const frames = more.frames ?? null;
  const expires = more.execution_expires_after ?? null;
  return (
    <>
      {count > 1 || isSequence ? <ImagesLine task={task} /> : null}
      {frames === null ? null : <Line name={t("frames")}>{frames}</Line>}
      <TierLine task={task} />
      {more.draft ? <Line name={t("draft")}>{t("yes")}</Line> : null}
      {draftTask === null ? null : (
        <Line name={t("draftOf")}>
          <Link href={`/tasks/${draftTask}`} prefetch={false} className="underline">
            {draftTask}
          </Link>
        </Line>
      )}
      {more.return_last_frame ? <Line name={studio("returnLastFrame")}>{t("yes")}</Line> : null}
      {expires === null ? null : (
        <Line name={t("expires")}>{studio("hours", { hours: Math.round(expires / HOUR) })}</Line>
      )}
      {more.priority ? <Line name={studio("priority")}>{more.priority}</Line> : null}
      <ToolLines task={task} />
      {more.camera_fixed === undefined ? null : (
        <Line name={t("camera")}>{t(more.camera_fixed ? "cameraFixed" : "cameraFree")}</Line>
      )}
      {more.watermark ? <Line name={studio("watermark")}>{t("yes")}</Line> : null}
      <TextLines task={task} />
    </>
  );
}

/** How many of several images were made. */
function ImagesLine({ task: { files, settings, status } }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const studio = useTranslations("studio");
  const { count } = settings;
  const made = files.filter(({ errorCode }) => errorCode === null).length;
  return (
    <Line name={t("images")}>
      {status === "succeeded"
        ? t("imagesMade", { made: Math.max(1, made), count })
        : studio("countUpTo", { count })}
    </Line>
  );
}

/** The tier as ordered, and as served where that differs. */
function TierLine({ task: { settings, delivered } }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const ordered = settings.more.service_tier ?? "default";
  const served = delivered?.serviceTier ?? ordered;
  const textOf = (tier: string) => (isTier(tier) ? t(`tiers.${tier}`) : tier);
  if (ordered === "default" && served === "default") return null;
  return (
    <Line name={t("tier")}>
      {ordered === served
        ? textOf(served)
        : t("servedAs", { ordered: textOf(ordered), served: textOf(served) })}
    </Line>
  );
}

/** The tools that were offered to the model, and how often it called them. */
function ToolLines({ task: { settings, delivered } }: { task: TaskView }) {
  const listed = useListText();
  const t = useTranslations("tasks");
  const ordered = (settings.more.tools ?? []).map(({ type }) => type);
  const usage = delivered?.toolUsage ?? {};
  const types = [...new Set([...ordered, ...Object.keys(usage)])];
  if (types.length === 0) return null;
  const texts = types.map((type) =>
    delivered === null ? type : t("toolCalls", { type, count: usage[type] ?? 0 }),
  );
  return <Line name={t("tools")}>{listed(texts)}</Line>;
}

function TextLines({ task: { settings } }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const studio = useTranslations("studio");
  const { more } = settings;
  const lines = [
    [studio("format"), more.output_format],
    [studio("referenceTask"), more.omni_reference_task_type],
    [studio("guidance"), more.guidance_scale],
    [studio("promptMode"), more.prompt_mode],
    [t("safety"), more.safety_identifier],
  ] as const;
  return lines.map(([name, value]) =>
    value === undefined || value === null ? null : (
      <Line key={name} name={name}>
        {value}
      </Line>
    ),
  );
}
