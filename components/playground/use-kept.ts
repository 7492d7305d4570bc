import { useEffect, useRef } from "react";
import { type Conversation, keepConversation } from "@/lib/client/kept-conversation";

const KEEP_MS = 400;

/** Stores the conversation soon after each change, and at the latest when the page is left. */
export function useKept(userId: string, conversation: Conversation, isRead: boolean): void {
  const latest = useRef(conversation);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = conversation;
    if (!isRead) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      keepConversation(sessionStorage, userId, latest.current);
    }, KEEP_MS);
  });
  useEffect(() => {
    if (!isRead) return;
    const keepNow = () => {
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      keepConversation(sessionStorage, userId, latest.current);
    };
    window.addEventListener("pagehide", keepNow);
    return () => {
      window.removeEventListener("pagehide", keepNow);
      keepNow();
    };
  }, [isRead, userId]);
}
