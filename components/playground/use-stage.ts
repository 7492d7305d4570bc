import { useRef, useState } from "react";
import { isOpenTask, type useTasks, useTasksById } from "@/lib/client/tasks";
import type { TaskView } from "@/lib/contract/tasks";

interface Chosen {
  readonly ids: readonly string[];
  /** Just sent from this page, or those of a session; else from the wall. */
  readonly from: "sent" | "session" | "wall";
}

/** Of a session the newest are shown. */
const OF_SESSION_MAX = 12;

/** What stands on the stage: what was sent or chosen, else what was the newest when the page began. */
export function useStage({ tasks }: Pick<ReturnType<typeof useTasks>, "tasks">) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [enlarged, setEnlarged] = useState<string | null>(null);
  const firstId = useRef<string | null>(null);
  const listed = useRef(new Set<string>());
  const all = tasks ?? [];
  for (const { id } of all) listed.current.add(id);
  // One that was sent may not be in the list yet; one that was removed from it is not asked for.
  const isFromWall = chosen === null || chosen.from === "wall";
  const unlisted = isFromWall ? [] : chosen.ids.filter((id) => !listed.current.has(id));
  const known = [...useTasksById(unlisted), ...all];
  const ofChosen = (chosen?.ids ?? []).flatMap((id) => known.find((task) => task.id === id) ?? []);
  const first =
    all.find(({ id }) => id === firstId.current) ??
    all.find((task) => isOpenTask(task) || task.result?.url) ??
    all[0];
  firstId.current = first?.id ?? null;
  const shown = ofChosen.length > 0 ? ofChosen : first ? [first] : [];
  return {
    shown,
    ids: shown.map(({ id }) => id),
    /** How what is shown came onto the stage; null: it was there. */
    arrival:
      ofChosen.length === 0
        ? null
        : chosen?.from === "sent"
          ? ("sent" as const)
          : ("chosen" as const),
    choose: (task: TaskView) => setChosen({ ids: [task.id], from: "wall" }),
    showSent: (ids: readonly string[]) => setChosen({ ids, from: "sent" }),
    /** The newest first. */
    showSession: (ids: readonly string[]) =>
      setChosen({ ids: ids.toReversed().slice(0, OF_SESSION_MAX), from: "session" }),
    enlarged,
    enlarge: setEnlarged,
    withFiles: all.filter(({ result }) => result?.url),
  };
}
