"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import { useSyncExternalStore } from "react";

interface Toast {
  id: number;
  tone: "ok" | "bad";
  text: string;
}

const SHOWN_MS = 5000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Shows a message in a corner for a few seconds and announces it to screen readers. */
export function showToast(text: string, tone: Toast["tone"] = "ok") {
  const id = ++lastId;
  set([...toasts.slice(-2), { id, tone, text }]);
  setTimeout(() => set(toasts.filter((toast) => toast.id !== id)), SHOWN_MS);
}

/** What a dialog does when it is done: it closes, and says so. */
export const closing = (onClose: () => void, text: string) => () => {
  onClose();
  showToast(text);
};

const none: readonly Toast[] = [];

export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  return (
    <div
      role="status"
      className="pointer-events-none fixed right-4 bottom-20 left-4 z-60 grid justify-items-end gap-2 sm:bottom-5 sm:left-auto"
    >
      {shown.map((toast) => (
        <div
          key={toast.id}
          className="flex max-w-96 animate-appear items-start gap-2.5 rounded-lg border bg-card px-3.5 py-3 text-sm shadow-float max-sm:w-full"
        >
          {toast.tone === "ok" ? (
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ok-ink" />
          ) : (
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
          )}
          {toast.text}
        </div>
      ))}
    </div>
  );
}
