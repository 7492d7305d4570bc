"use client";

import { Ellipsis, History } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useDeferredValue, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { Input } from "@/components/ui/input";
import { Menu, MenuItem } from "@/components/ui/menu";
import { QueryFailure } from "@/components/ui/query-failure";
import { RelativeTime } from "@/components/ui/relative-time";
import { showToast } from "@/components/ui/toast";
import { useMe } from "@/lib/client/account";
import { conversationText } from "@/lib/client/chat-request";
import { type Conversation, jsonOf } from "@/lib/client/kept-conversation";
import { openChat, useChatSessions, useRemoveSession } from "@/lib/client/studio-sessions";
import type { StudioSessionRow } from "@/lib/contract/studio-sessions";
import { download } from "./download";

interface SessionsProps {
  onOpen: (conversation: Conversation) => void;
}

/** The user's kept conversations, behind a button. */
export function SessionsButton({ onOpen }: SessionsProps) {
  const t = useTranslations("playground");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => setIsOpen(true)} title={t("sessions")}>
        <History aria-hidden />
        <span className="max-lg:sr-only">{t("sessions")}</span>
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={t("sessions")}
        description={t.rich("sessionsNote", {
          settings: (text) => (
            <Link href="/settings#kept-sessions" className="underline underline-offset-2">
              {text}
            </Link>
          ),
        })}
      >
        <Sessions
          isShown={isOpen}
          onOpen={(conversation) => {
            setIsOpen(false);
            onOpen(conversation);
          }}
        />
      </Dialog>
    </>
  );
}

function Sessions({ onOpen, isShown }: SessionsProps & { isShown: boolean }) {
  const t = useTranslations("playground");
  const [search, setSearch] = useState("");
  const asked = useDeferredValue(search.trim());
  const { data, error, refetch } = useChatSessions(asked, isShown);
  const isOff = useMe().data?.account.keepsSessions === false;
  return (
    <div className="grid gap-3">
      <Input
        type="search"
        aria-label={t("sessionsSearch")}
        placeholder={t("sessionsSearch")}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <div className="min-h-60">
        {error ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
        {data?.sessions.length === 0 ? (
          <p className="py-6 text-center text-muted text-sm">
            {t(isOff ? "sessionsOff" : asked === "" ? "sessionsNone" : "sessionsNotFound")}
          </p>
        ) : null}
        <ul className="divide-y">
          {data?.sessions.map((row) => (
            <SessionRow key={row.id} row={row} onOpen={onOpen} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function SessionRow({ row, onOpen }: SessionsProps & { row: StudioSessionRow }) {
  const t = useTranslations("playground");
  const failureText = useFailureText();
  const remove = useRemoveSession();
  const fail = (error: unknown) => showToast(failureText(error), "bad");
  const withIt = (use: (conversation: Conversation) => void) =>
    void openChat(row.id).then((found) => {
      if (found) use(found);
      else showToast(t("sessionUnreadable"), "bad");
    }, fail);
  const asMarkdown = ({ turns, settings }: Conversation) =>
    download(
      "conversation.md",
      "text/markdown",
      conversationText(turns, { you: t("you"), model: settings.model }),
    );
  const asJson = (conversation: Conversation) =>
    download("conversation.json", "application/json", jsonOf(conversation, true));
  return (
    <li className="flex items-center gap-2 py-1">
      <div className="min-w-0 flex-1">
        <button
          type="button"
          onClick={() => withIt(onOpen)}
          className="block w-full truncate rounded-md px-2 py-1.5 text-left text-sm hover:bg-wash"
        >
          {row.title}
        </button>
        <p className="px-2 pb-1 text-muted text-xs">
          <RelativeTime at={row.updatedAt} />
          {row.isAwaited ? ` · ${t("sessionAwaited")}` : null}
        </p>
      </div>
      <Menu
        trigger={
          <Button look="quiet" size="small" aria-label={t("sessionActions", { title: row.title })}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => withIt(asMarkdown)}>{t("exportMarkdown")}</MenuItem>
        <MenuItem onSelect={() => withIt(asJson)}>{t("exportJson")}</MenuItem>
        <MenuItem isDangerous onSelect={() => remove.mutate(row.id, { onError: fail })}>
          {t("sessionDelete")}
        </MenuItem>
      </Menu>
    </li>
  );
}
