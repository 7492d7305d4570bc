/** Tells whoever looks elsewhere that something is ready: in the page's title, and by the browser where that was asked for. */
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

/** Counts in the page's title until the person does something. */
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

/** Whether the browser is to say when something is ready; asked of it only by `change`. */
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

/** Tells of each of these tasks that was seen to go on and has ended; `textOf` says it in the browser's notice. */
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
