import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { showToast } from "@/components/ui/toast";
import type { VideoModel } from "@/lib/catalog/models";
import { type ChainUse, chainUses, pictureForChain } from "@/lib/client/chain";
import { videoSettingsOf } from "@/lib/client/stored-video";
import { useTask } from "@/lib/client/tasks";
import {
  referencesMax,
  type VideoSettings,
  withModel,
  withReferences,
} from "@/lib/client/video-settings";
import type { TaskView } from "@/lib/contract/tasks";

type Change = (next: (now: VideoSettings) => VideoSettings) => void;
/** `image`: which one of several, from 0. */
type Chain = (task: TaskView, use: ChainUse, image?: number) => Promise<void>;

const isUse = (text: string | null): text is ChainUse => chainUses.some((each) => each === text);

export const withFirstFrame = (now: VideoSettings, picture: string): VideoSettings => ({
  ...now,
  ratio: "adaptive",
  draftTask: null,
  firstFrame: [picture],
  lastFrame: [],
  references: [],
});

/** The settings with a picture among the references; null where no model takes one. */
export function withReference(
  now: VideoSettings,
  picture: string,
  offered: readonly VideoModel[],
): VideoSettings | null {
  const model = [now.model, ...offered].find((each) => referencesMax(each, "image") > 0);
  if (model === undefined) return null;
  const fitting = withModel({ ...now, draftTask: null, firstFrame: [], lastFrame: [] }, model);
  return withReferences(fitting, "image", [picture]);
}

/**
 * Puts a result into the form of the next video: the one that the URL names, once, and those that
 * are chosen on the page.
 */
export function useChain(
  settings: VideoSettings,
  change: Change,
  offered: readonly VideoModel[],
): Chain {
  const t = useTranslations("studio");
  const search = useSearchParams();
  const [id, as, image] = [search.get("from"), search.get("as"), search.get("image")];
  const { data } = useTask(id);
  async function chain(task: TaskView, use: ChainUse, at = 0): Promise<void> {
    if (use === "final") {
      change((now) => ({ ...(videoSettingsOf(task, offered) ?? now), draftTask: task.id }));
      return showToast(t("finalTaken"));
    }
    const picture = await pictureForChain(task, use, at);
    if (picture === null) return showToast(t("frameFailed"), "bad");
    if (use !== "reference") {
      change((now) => withFirstFrame(now, picture));
      return showToast(t("frameTaken"));
    }
    if (withReference(settings, picture, offered) === null)
      return showToast(t("noReferences"), "bad");
    change((now) => withReference(now, picture, offered) ?? now);
    showToast(t("referenceTaken"));
  }
  const latest = useRef(chain);
  latest.current = chain;
  useEffect(() => {
    if (!data || !isUse(as)) return;
    // So that the same link works again.
    window.history.replaceState(null, "", window.location.pathname);
    void latest.current(data.task, as, Number(image ?? 0));
  }, [data, as, image]);
  return chain;
}
