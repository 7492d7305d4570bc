/**
 * Tells a user who is looking at another tab that a task is ready: in the page title, and by a
 * browser notification where enabled.
 */
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { TaskView } from "../contract/tasks";
import { isOpenTask } from "./tasks";

const STORED = "relay.notify";
const activities = ["pointerdown", "keydown", "visibilitychange"] as const;

let unseen = 0;
const withoutCount = (title: string) => title.replace(/^\(\d+\) /, "");

function seeAll(event: Event): void {
  if (event.type === "visibilitychange" && document.visibilityState !== "visible") return;
  unseen = 0;
  document.title = withoutCount(document.title);
  for (const name of activities) document.removeEventListener(name, seeAll, true);
}

/** Counts in the page title until the user returns to the page. */
function countInTitle(): void {
  if (unseen === 0) for (const name of activities) document.addEventListener(name, seeAll, true);
  document.title = `(${++unseen}) ${withoutCount(document.title)}`;
}

const listeners = new Set<() => void>();

function mayNotify(): boolean {
  return (
    typeof Notification !== "undefined" &&
    Notification.permission === "granted" &&
    localStorage.getItem(STORED) === "on"
  );
}

type NoticeState = "unknown" | "unavailable" | "denied" | "off" | "on";

function noticeState(): NoticeState {
  if (typeof Notification === "undefined") return "unavailable";
  if (Notification.permission === "denied") return "denied";
  return mayNotify() ? "on" : "off";
}

async function change(isOn: boolean): Promise<void> {
  if (isOn && Notification.permission === "default") await Notification.requestPermission();
  localStorage.setItem(STORED, isOn ? "on" : "off");
  for (const listener of listeners) listener();
}

/** Whether browser notifications are on. Only `change` asks the browser for permission. */
export function useNoticeSetting(): {
  state: NoticeState;
  change: (isOn: boolean) => Promise<void>;
} {
  const state = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    noticeState,
    () => "unknown" as const,
  );
  return { state, change };
}

/**
 * Notifies once for each of these tasks that was seen running and has ended. `textOf` gives the
 * notification's text.
 */
export function useReadyNotice(
  tasks: readonly TaskView[] | undefined,
  textOf: (task: TaskView) => { title: string; body: string },
): void {
  const open = useRef(new Set<string>());
  useEffect(() => {
    for (const task of tasks ?? []) {
      if (isOpenTask(task)) open.current.add(task.id);
      else if (open.current.delete(task.id)) {
        countInTitle();
        const { title, body } = textOf(task);
        if (mayNotify() && document.visibilityState !== "visible")
          new Notification(title, { body, tag: task.id });
      }
    }
  }, [tasks, textOf]);
}
