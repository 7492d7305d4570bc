"use client";

import { useTranslations } from "next-intl";
import type { RefObject } from "react";
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
  const { turns, isRunning, settings } = chat;
  const last = turns.at(-1);
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
        className="mx-auto grid w-full max-w-200 content-start gap-6 px-4 py-5 lg:px-6"
      >
        <h2 className="sr-only">{t("conversation")}</h2>
        {turns.length === 0 ? <Empty onStarter={onStarter} /> : null}
        {turns.map((turn, index) => {
          if (turn.role === "user")
            return (
              <Question
                key={turn.id}
                turn={turn}
                onResend={isRunning ? null : (text) => void chat.resend(turn.id, text)}
              />
            );
          const asked = turns[index - 1];
          return (
            <Answer
              key={turn.id}
              turn={turn}
              model={settings.model}
              isRunning={isRunning && turn === last}
              onAgain={isRunning || !asked ? null : () => void chat.resend(asked.id)}
              onRead={isRunning || turn !== last || !turn.order ? null : chat.readLast}
            />
          );
        })}
      </div>
    </section>
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
