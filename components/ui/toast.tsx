"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import { sharedValue } from "@/lib/client/shared-value";

interface Toast {
  id: number;
  tone: "ok" | "bad";
  text: string;
}

const SHOWN_MS = 5000;
const toasts = sharedValue<readonly Toast[]>([]);
let lastId = 0;

/** Shows a message in a corner for a few seconds and announces it to screen readers. */
export function showToast(text: string, tone: Toast["tone"] = "ok") {
  const id = ++lastId;
  toasts.set([...toasts.read().slice(-2), { id, tone, text }]);
  setTimeout(() => toasts.set(toasts.read().filter((toast) => toast.id !== id)), SHOWN_MS);
}

/** What a dialog does when it is done: it closes, and says so. */
export const closing = (onClose: () => void, text: string) => () => {
  onClose();
  showToast(text);
};

export function Toasts() {
  const shown = toasts.use();
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
