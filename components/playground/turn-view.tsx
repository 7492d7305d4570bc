import { Pencil, RotateCcw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { PointsNeeded } from "@/components/requests/points-needed";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { useFailureText } from "@/components/ui/failure-text";
import { controlStyle } from "@/components/ui/input";
import { later } from "@/components/ui/later";
import { Notice } from "@/components/ui/notice";
import { RequestError } from "@/lib/client/call";
import type { Turn } from "@/lib/client/kept-conversation";
import type { ToolCall } from "@/lib/contract/answered-calls";
import { AnswerFacts } from "./answer-facts";

const Markdown = later(() => import("./markdown").then((module) => module.Markdown), {
  plain: ({ text }) => <p className="wrap-anywhere my-2 whitespace-pre-wrap">{text}</p>,
});

interface AnswerProps {
  turn: Turn;
  model: string;
  isRunning: boolean;
  /** Stops reading this answer alone; null where there is no other. */
  onStop: (() => void) | null;
  onAgain: (() => void) | null;
  /** Reads what was stopped or cut off, without another charge; null where that cannot be. */
  onRead: (() => void) | null;
  /** Continues the conversation with this answer; null where it is the chosen one already. */
  onChoose: (() => void) | null;
}

/** The connection failed, not the answer. */
const isCutOff = (error: unknown) =>
  error instanceof RequestError && ["offline", "broken_off"].includes(error.code);

export function Answer(props: AnswerProps) {
  const { turn, model, isRunning, onStop, onAgain, onRead, onChoose } = props;
  const t = useTranslations("playground");
  const requestId =
    turn.facts?.requestId ?? (turn.error instanceof RequestError ? turn.error.requestId : null);
  return (
    <article aria-label={model} aria-busy={isRunning} className="min-w-0">
      <h3 className="font-medium text-muted text-sm">{model}</h3>
      {turn.text === "" ? null : <Markdown text={turn.text} />}
      {isRunning && turn.text === "" ? (
        <p className="my-2 animate-pulse-soft text-muted">{t("answering")}…</p>
      ) : null}
      {isRunning && onStop ? (
        <Button
          look="quiet"
          size="small"
          className="-ml-2.5"
          aria-label={t("stopOne", { model })}
          onClick={onStop}
        >
          {t("stop")}
        </Button>
      ) : null}
      {turn.facts?.toolCalls ? <ToolCalls calls={turn.facts.toolCalls} /> : null}
      {turn.isStopped ? (
        <div className="my-2 flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="text-muted text-sm">{t(turn.isUnasked ? "unaskedNote" : "stoppedNote")}</p>
          {onRead ? (
            <Button size="small" onClick={onRead}>
              {t("readWhole")}
            </Button>
          ) : null}
        </div>
      ) : null}
      {turn.facts?.finishReason === "length" ? (
        <p className="my-2 text-muted text-sm">{t("cutOff")}</p>
      ) : null}
      {turn.error ? (
        <Failure
          error={turn.error}
          onAgain={isCutOff(turn.error) ? (onRead ?? onAgain) : onAgain}
        />
      ) : null}
      {isRunning ? null : (
        <div className="-ml-2.5 flex gap-1">
          {turn.text === "" ? null : (
            <CopyButton look="quiet" text={turn.text} what={t("answer")} />
          )}
          {onChoose && turn.text !== "" ? (
            <Button look="quiet" size="small" onClick={onChoose}>
              {t("goOnWith")}
            </Button>
          ) : null}
          {onAgain && !turn.error ? (
            <Button look="quiet" size="small" onClick={onAgain}>
              <RotateCcw aria-hidden />
              {t("regenerate")}
            </Button>
          ) : null}
        </div>
      )}
      {!isRunning && turn.facts && requestId ? (
        <AnswerFacts facts={turn.facts} requestId={requestId} />
      ) : null}
    </article>
  );
}

/** The functions that the model wants to be called. */
function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  const t = useTranslations("playground");
  return calls.map((call) => (
    <div key={call.name + call.arguments} className="my-2 rounded-md border bg-wash px-3.5 py-2.5">
      <p className="text-muted text-sm">{t("toolCall")}</p>
      <code className="wrap-anywhere text-sm">
        {call.name}({call.arguments})
      </code>
    </div>
  ));
}

function Failure({ error, onAgain }: { error: unknown; onAgain: (() => void) | null }) {
  const failures = useTranslations("failures");
  const failureText = useFailureText("chat");
  const { code, requestId } =
    error instanceof RequestError ? error : { code: null, requestId: null };
  return (
    <Notice tone="bad">
      <p className="wrap-anywhere">{failureText(error)}</p>
      {requestId ? (
        <p className="num wrap-anywhere text-muted">{failures("requestId", { requestId })}</p>
      ) : null}
      <div className="mt-2 flex flex-wrap gap-2">
        {onAgain ? (
          <Button size="small" onClick={onAgain}>
            {failures("retry")}
          </Button>
        ) : null}
        {code === "insufficient_points" ? <PointsNeeded /> : null}
      </div>
    </Notice>
  );
}

function Pictures({ images }: { images: readonly string[] }) {
  const t = useTranslations("studio");
  if (images.length === 0) return null;
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {images.map((image, at) => (
        // biome-ignore lint/performance/noImgElement: a picture of this device, in the page's memory
        <img
          key={image}
          src={image}
          alt={t("picture", { number: at + 1 })}
          className="h-28 max-w-full rounded-md border object-contain"
        />
      ))}
    </div>
  );
}

interface QuestionProps {
  turn: Turn;
  onResend: ((text: string) => void) | null;
}

export function Question({ turn, onResend }: QuestionProps) {
  const t = useTranslations("playground");
  const [draft, setDraft] = useState<string | null>(null);
  const send = () => {
    if (!draft?.trim()) return;
    setDraft(null);
    onResend?.(draft);
  };
  return (
    <article aria-label={t("you")} className="rounded-lg bg-wash px-4 py-3">
      <h3 className="font-medium text-muted text-sm">{t("you")}</h3>
      {draft === null ? (
        <>
          <p className="wrap-anywhere whitespace-pre-wrap">{turn.text}</p>
          <Pictures images={turn.images ?? []} />
        </>
      ) : (
        <div className="mt-1 grid gap-2">
          <textarea
            // biome-ignore lint/a11y/noAutofocus: the user asked to edit
            autoFocus
            aria-label={t("edit")}
            rows={3}
            className={`${controlStyle} px-3 py-2`}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button
              look="go"
              size="small"
              disabled={draft.trim() === "" || !onResend}
              onClick={send}
            >
              {t("send")}
            </Button>
            <Button look="quiet" size="small" onClick={() => setDraft(null)}>
              {t("cancelEdit")}
            </Button>
          </div>
        </div>
      )}
      {draft === null && onResend ? (
        <Button look="quiet" size="small" className="-ml-2.5" onClick={() => setDraft(turn.text)}>
          <Pencil aria-hidden />
          {t("edit")}
        </Button>
      ) : null}
    </article>
  );
}
