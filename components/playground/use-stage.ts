"use client";

import { useState } from "react";
import { isOpenTask, useTask, type useTasks } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";

/** What stands on the stage: what was chosen or sent, else the newest that can be shown. */
export function useStage({ tasks, isPlaceholderData }: ReturnType<typeof useTasks>) {
  const [chosen, setChosen] = useState<{ ids: readonly string[]; isNew: boolean } | null>(null);
  const [enlarged, setEnlarged] = useState<string | null>(null);
  const all = tasks ?? [];
  // One that was just sent may not be in the list yet.
  const missing = chosen?.ids.find((id) => all.every((task) => task.id !== id)) ?? null;
  const { data: sent } = useTask(isPlaceholderData ? null : missing);
  const known = sent ? [sent.task, ...all] : all;
  const usual = all.find((task) => isOpenTask(task) || task.result?.url) ?? all[0];
  const shown = chosen
    ? chosen.ids.flatMap((id) => known.find((task) => task.id === id) ?? [])
    : usual
      ? [usual]
      : [];
  return {
    shown,
    ids: shown.map(({ id }) => id),
    isNew: chosen?.isNew ?? false,
    /** Sent, and not known to the list yet. */
    isSending: chosen !== null && shown.length < chosen.ids.length && missing !== null,
    choose: (task: TaskView) => setChosen({ ids: [task.id], isNew: true }),
    showNew: (ids: readonly string[]) => setChosen({ ids, isNew: true }),
    enlarged,
    enlarge: setEnlarged,
    withFiles: all.filter(({ result }) => result?.url),
  };
}
