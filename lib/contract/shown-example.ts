/** A video or an image that public pages show. */
export interface Example {
  readonly model: string;
  readonly kind: "video" | "image";
  readonly url: string;
  /** The address of an image to show before a video plays; null without one. */
  readonly still: string | null;
  /** What it was ordered with. */
  readonly prompt: string;
}
