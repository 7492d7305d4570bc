import type { z } from "zod";
import type { made } from "../contract/entries";

/** The stored parameters of an order that a list shows, under those of the delivered result. */
export interface SettingsRow {
  readonly resolution?: string | null;
  readonly ratio?: string | null;
  readonly durationSeconds?: number | null;
  readonly generateAudio?: boolean;
  readonly width?: number | null;
  readonly height?: number | null;
}

const videoSql = (task: string) =>
  `(${task}.spec - 'prompt' - 'pictures') || coalesce(jsonb_strip_nulls(${task}.facts), '{}')`;

/** What a row of `video_task` was: as delivered, or as ordered until then. */
export const settingsOfTask = (task: string) => `${videoSql(task)} as made`;

/**
 * What the request `r` was; null for text. It reads one row by a unique index, and none for text.
 */
export const settingsOfRequest = `case r.family
  when 'video' then (select ${videoSql("made_t")} from video_task made_t where made_t.operation_id = r.id)
  when 'image' then (select made_t.spec - 'prompt' - 'pictures' from image_result made_t where made_t.operation_id = r.id)
  end as made`;

/** `adaptive` stands for the ratio of the first frame: it says nothing to a reader. */
const ADAPTIVE = "adaptive";

export function settingsView({
  resolution,
  ratio,
  durationSeconds,
  generateAudio,
  width,
  height,
}: SettingsRow): z.input<typeof made> {
  return {
    resolution: resolution ?? null,
    ratio: ratio === ADAPTIVE ? null : (ratio ?? null),
    seconds: durationSeconds ?? null,
    generateAudio: generateAudio ?? false,
    width: width ?? null,
    height: height ?? null,
  };
}
