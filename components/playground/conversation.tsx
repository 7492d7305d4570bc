import { useTranslations } from "next-intl";
import type { RefObject } from "react";
import { cn } from "@/components/ui/class-names";
import type { Turn } from "@/lib/client/kept-conversation";
import { useMay } from "@/lib/client/shown-account";
import { RaceTable } from "./race-table";
import { Answer, Question } from "./turn-view";
import type { useChat } from "./use-chat";

const starters = ["first", "second", "third", "fourth"] as const;

interface ConversationProps {
  chat: ReturnType<typeof useChat>;
  list: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
  onStarter: (text: string) => void;
}

/** The questions and answers, in a list that scrolls separately. */
export function Conversation({ chat, list, content, onScroll, onStarter }: ConversationProps) {
  const t = useTranslations("playground");
  const { turns } = chat;
  const isRace = turns.some(({ isRival }) => isRival);
  return (
    <section
      ref={list}
      aria-label={t("conversation")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
      tabIndex={0}
      // Positioned: `sr-only` elements are absolute and would otherwise make the page longer.
      className="-outline-offset-2 relative max-h-[75dvh] min-h-0 flex-1 overflow-y-auto tall:max-h-none"
      onScroll={onScroll}
    >
      <div
        ref={content}
        className={cn(
          "mx-auto grid w-full grid-cols-1 content-start gap-6 px-4 py-5 lg:px-6",
          !isRace && "max-w-200",
        )}
      >
        <h2 className="sr-only">{t("conversation")}</h2>
        {turns.length === 0 ? <Empty onStarter={onStarter} /> : null}
        {roundsOf(turns).map(({ question, answers }) => (
          <Round key={(question ?? answers[0])?.id} chat={chat} question={question}>
            {answers}
          </Round>
        ))}
      </div>
    </section>
  );
}

interface RoundTurns {
  question: Turn | null;
  answers: Turn[];
}

/** Each question with its answers. */
function roundsOf(turns: readonly Turn[]): RoundTurns[] {
  const rounds: RoundTurns[] = [];
  for (const turn of turns) {
    const last = rounds.at(-1);
    if (turn.role === "user") rounds.push({ question: turn, answers: [] });
    else if (last) last.answers.push(turn);
    else rounds.push({ question: null, answers: [turn] });
  }
  return rounds;
}

interface RoundProps extends Pick<ConversationProps, "chat"> {
  question: Turn | null;
  children: readonly Turn[];
}

/** A question with its answer, or with those of several models side by side. */
function Round({ chat, question, children: answers }: RoundProps) {
  const t = useTranslations("playground");
  const { isRunning, open, settings, turns } = chat;
  const isLast = answers.length > 0 && answers.at(-1) === turns.at(-1);
  const asks = useMay("order") && !isRunning;
  const again = !asks || !question ? null : () => void chat.resend(question.id);
  const shown = answers.map((turn) => (
    <Answer
      key={turn.id}
      turn={turn}
      model={turn.order?.settings.model ?? settings.model}
      isRunning={open.includes(turn.id)}
      onStop={answers.length < 2 ? null : () => chat.stopOne(turn.id)}
      onAgain={again}
      onRead={!asks || !isLast || !turn.order || turn.isUnasked ? null : chat.readLast}
      onChoose={isRunning || !turn.isRival ? null : () => chat.choose(turn.id)}
    />
  ));
  return (
    <>
      {question ? (
        <Question
          turn={question}
          onResend={asks ? (text) => void chat.resend(question.id, text) : null}
        />
      ) : null}
      {answers.length < 2 ? (
        shown
      ) : (
        <section aria-label={t("sideBySide")} className="grid grid-cols-1 gap-4">
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,19rem),1fr))] items-start gap-5">
            {shown}
          </div>
          <RaceTable answers={answers} />
        </section>
      )}
    </>
  );
}

function Empty({ onStarter }: { onStarter: (text: string) => void }) {
  const t = useTranslations("playground");
  return (
    <div className="grid justify-items-center gap-5 pt-[12dvh]">
      <p className="text-center text-lg">{t("empty")}</p>
      <ul className="grid w-full max-w-xl gap-2 sm:grid-cols-2">
        {starters.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => onStarter(t(`starters.${name}`))}
              className="h-full w-full rounded-md border bg-card px-3.5 py-2.5 text-left text-muted text-sm hover:border-line-strong hover:text-ink"
            >
              {t(`starters.${name}`)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
