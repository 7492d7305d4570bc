"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeSamples } from "@/components/ui/code-samples";
import { PageHead } from "@/components/ui/page-head";
import { chatRequestSamples } from "@/lib/client/request-samples";
import { Composer } from "./composer";
import { PlaygroundTabs } from "./playground-tabs";
import { SettingsCard, settingsAtFirst } from "./settings-card";
import { Turns } from "./turns";
import { useChat } from "./use-chat";
import { useEscape } from "./use-escape";

/** Within this distance of the end, the user counts as reading the end. */
const NEAR_PIXELS = 48;

export function ChatView({ baseUrl, userId }: { baseUrl: string; userId: string }) {
  const t = useTranslations("playground");
  const chat = useChat(userId, settingsAtFirst);
  const { turns, isRunning, stop, settings } = chat;
  const list = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    // Follows each piece of text unless the user has scrolled up.
    if (turns.length > 0 && isAtEnd.current)
      list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [turns]);
  useEscape(isRunning, stop);
  const last = turns.at(-1);
  const status = isRunning
    ? t("answering")
    : last?.isStopped
      ? t("stopped")
      : last && !last.error
        ? t("ready")
        : "";
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <Button disabled={turns.length === 0} onClick={chat.clear}>
          {t("clear")}
        </Button>
      </PageHead>
      <PlaygroundTabs />
      <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <Card className="flex h-[min(44rem,75dvh)] max-md:h-[min(30rem,calc(100dvh-24rem))] max-md:min-h-72 min-w-0 flex-col">
          <section
            ref={list}
            aria-label={t("conversation")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
            tabIndex={0}
            className="-outline-offset-2 grid flex-1 content-start gap-6 overflow-y-auto p-4 sm:p-5"
            onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
              isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PIXELS;
            }}
          >
            <h2 className="sr-only">{t("conversation")}</h2>
            {turns.length === 0 ? (
              <p className="py-16 text-center text-muted">{t("empty")}</p>
            ) : null}
            <Turns chat={chat} />
          </section>
          <p role="status" className="sr-only">
            {status}
          </p>
          <Composer
            isRunning={isRunning}
            onStop={stop}
            onSend={(text) => {
              isAtEnd.current = true;
              void chat.send(text);
            }}
          />
        </Card>
        <SettingsCard settings={settings} onChange={chat.setSettings} />
      </div>
      {chat.lastSent ? (
        <details className="mt-3.5">
          <summary className="w-fit cursor-pointer rounded-sm font-medium">{t("asCode")}</summary>
          <p className="mt-1 mb-2.5 text-muted text-sm">{t("asCodeNote")}</p>
          <CodeSamples label={t("asCode")} samples={chatRequestSamples(baseUrl, chat.lastSent)} />
        </details>
      ) : null}
    </>
  );
}
