import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/ui/copy-button";
import { useDurationText } from "@/components/ui/duration-text";
import { Highlight } from "@/components/ui/highlight";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import type { TrialAnswer } from "@/lib/client/trial";

/** A longer text would make too many elements. */
const HIGHLIGHTED_CHARACTERS_MAX = 20_000;

interface TryAnswerProps {
  answer: TrialAnswer | null;
  /** What has arrived of an answer that is still being read. */
  arriving: string;
  isFree: boolean;
}

/** The status of the answer, what it cost, and its text. */
export function TryAnswer({ answer, arriving, isFree }: TryAnswerProps) {
  const t = useTranslations("tryIt");
  const durationText = useDurationText();
  const text = answer?.text ?? arriving;
  return (
    <div aria-live="polite" className="grid grid-cols-1 gap-2 empty:hidden">
      {answer ? (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
          <Pill tone={answer.status < 400 ? "ok" : "held"}>{answer.status}</Pill>
          <span>{durationText(answer.milliseconds)}</span>
          <Cost answer={answer} isFree={isFree} />
          {answer.requestId ? (
            <code className="[overflow-wrap:anywhere]">{answer.requestId}</code>
          ) : null}
          {text === "" ? null : <CopyButton look="quiet" text={text} what={t("answer")} />}
        </p>
      ) : null}
      {text === "" ? null : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-96 overflow-auto rounded-md border bg-wash p-4 text-sm/relaxed"
        >
          <code>{text.length < HIGHLIGHTED_CHARACTERS_MAX ? <Highlight code={text} /> : text}</code>
        </pre>
      )}
    </div>
  );
}

/** What the request cost, as far as its answer says it. */
function Cost({ answer: { status, points }, isFree }: { answer: TrialAnswer; isFree: boolean }) {
  const t = useTranslations("tryIt");
  if (points !== null)
    return (
      <span>{t.rich("charged", { points: () => <PointsText value={points} form="exact" /> })}</span>
    );
  if (status >= 400 || isFree) return <span>{t("notCharged")}</span>;
  return <span>{t("chargedLater")}</span>;
}
