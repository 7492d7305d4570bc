interface InputVideos {
  readonly max: number;
  readonly seconds_max: number;
  readonly measured?: boolean | undefined;
}

/** What a video model offers beyond lengths, sizes, frames and reference images. */
export type VideoOffers = {
  readonly input_videos?: InputVideos | undefined;
  readonly input_audios_max?: number | undefined;
  readonly assets?: boolean | undefined;
  readonly adaptive_ratio?: boolean | undefined;
  readonly auto_duration?: boolean | undefined;
  readonly frames?: boolean | undefined;
  readonly draft?: boolean | undefined;
  readonly flex?: boolean | undefined;
  readonly priority?: boolean | undefined;
  readonly tools?: { readonly types: readonly string[]; readonly calls_max: number } | undefined;
  readonly reference_tasks?: readonly string[] | undefined;
  readonly output_formats?: readonly ("mp4" | "mov")[] | undefined;
};
