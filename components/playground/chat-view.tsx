"use client";

import { Download, Plus, SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { chatRequestOf, conversationText } from "@/lib/client/chat-request";
import {
  type ChatSettings,
  jsonOf,
  type Conversation as Kept,
  type Turn,
} from "@/lib/client/kept-conversation";
import { openChat } from "@/lib/client/studio-sessions";
import { textForms } from "@/lib/client/text-samples";
import { AsCodeButton } from "./as-code-button";
import { ChatCost } from "./chat-cost";
import { ChatSettingsFields, settingsAtFirst } from "./chat-settings";
import { Composer, type Draft } from "./composer";
import { Conversation } from "./conversation";
import { download } from "./download";
import { SessionsButton } from "./sessions-button";
import { StudioFrame } from "./studio-frame";
import { useChat } from "./use-chat";
import { useEscape } from "./use-escape";
import { useFollowEnd } from "./use-follow-end";

const nothing: Draft = { text: "", images: [] };

interface ChatViewProps {
  baseUrl: string;
  userId: string;
  isSandbox: boolean;
}

export function ChatView({ baseUrl, userId, isSandbox }: ChatViewProps) {
  const t = useTranslations("playground");
  const offered = useOfferedOf("text");
  const chat = useChat(userId, () => settingsAtFirst(offered));
  const { turns, isRunning, stop, settings } = chat;
  const [draft, setDraft] = useState(nothing);
  const line = useRef<HTMLTextAreaElement>(null);
  const { list, content, onScroll, follow } = useFollowEnd();
  useEscape(isRunning, stop);
  const send = () => {
    follow();
    setDraft(nothing);
    void chat.send(draft.text, draft.images);
  };
  const last = turns.at(-1);
  const status = isRunning
    ? t("answering")
    : last?.isStopped
      ? t("stopped")
      : last && !last.error
        ? t("ready")
        : "";
  return (
    <StudioFrame
      title={t("title")}
      sandbox={isSandbox ? "text" : null}
      actions={<Actions chat={chat} draft={draft} baseUrl={baseUrl} />}
    >
      <section
        aria-label={t("settings")}
        className="relative overflow-y-auto border-r px-6 py-4 max-lg:hidden"
      >
        <ChatSettingsFields settings={settings} onChange={chat.setSettings} userId={userId} />
      </section>
      <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
        <Conversation
          chat={chat}
          list={list}
          content={content}
          onScroll={onScroll}
          onStarter={(text) => {
            setDraft((now) => ({ ...now, text }));
            line.current?.focus();
          }}
        />
        <p role="status" className="sr-only">
          {status}
        </p>
        <Composer
          draft={draft}
          onChange={setDraft}
          isRunning={isRunning}
          line={line}
          onStop={stop}
          onSend={send}
        >
          <SettingsButton chat={chat} userId={userId} />
          <ChatCost requests={requestsOf(settings, turns, draft)} />
        </Composer>
      </div>
    </StudioFrame>
  );
}

type Chat = ReturnType<typeof useChat>;

const isWritten = ({ text, images }: Draft) => text.trim() !== "" || images.length > 0;

const withDraft = (turns: readonly Turn[], draft: Draft): readonly Turn[] => [
  ...turns,
  { id: 0, role: "user", ...draft },
];

/** What the written message would be sent as: a request for each model that answers. */
function requestsOf(settings: ChatSettings, turns: readonly Turn[], draft: Draft): object[] {
  if (!isWritten(draft)) return [];
  const asked = withDraft(turns, draft);
  return [settings.model, ...(settings.others ?? [])].map((model) =>
    chatRequestOf({ ...settings, model }, asked),
  );
}

/** The actions on the current conversation, to the right of the tabs. */
function Actions({ chat, draft, baseUrl }: { chat: Chat; draft: Draft; baseUrl: string }) {
  const t = useTranslations("playground");
  const { turns, settings } = chat;
  const isEmpty = turns.length === 0;
  const asked = isWritten(draft)
    ? withDraft(turns, draft)
    : turns.slice(0, turns.findLastIndex(({ role }) => role === "user") + 1);
  const forms = asked.length === 0 ? null : textForms(baseUrl, chatRequestOf(settings, asked));
  const textOf = (of: Pick<Kept, "turns" | "settings">) =>
    conversationText(of.turns, { you: t("you"), model: of.settings.model });
  const save = () => download("conversation.md", "text/markdown", textOf({ turns, settings }));
  return (
    <>
      <SessionsButton
        kind="text"
        open={openChat}
        onOpen={chat.show}
        name="conversation"
        textOf={textOf}
        jsonOf={(conversation) => jsonOf(conversation, true)}
      />
      <Button look="quiet" disabled={isEmpty} onClick={save} title={t("export")}>
        <Download aria-hidden />
        <span className="max-lg:sr-only">{t("export")}</span>
      </Button>
      <Button look="quiet" disabled={isEmpty} onClick={chat.clear} title={t("clear")}>
        <Plus aria-hidden />
        <span className="max-lg:sr-only">{t("clear")}</span>
      </Button>
      <AsCodeButton forms={forms} />
    </>
  );
}

/** The settings where there is no room for them beside the conversation. */
function SettingsButton({ chat, userId }: { chat: Chat; userId: string }) {
  const t = useTranslations("playground");
  const [isOpen, setIsOpen] = useState(false);
  const { model, others = [] } = chat.settings;
  return (
    <>
      <Button look="quiet" size="small" className="lg:hidden" onClick={() => setIsOpen(true)}>
        <SlidersHorizontal aria-hidden />
        {others.length === 0 ? model : `${model} + ${others.length}`}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={t("settings")}>
        <ChatSettingsFields settings={chat.settings} onChange={chat.setSettings} userId={userId} />
      </Dialog>
    </>
  );
}
