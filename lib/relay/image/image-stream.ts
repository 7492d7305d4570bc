/** The events of an order's stream: one for each image as soon as it is stored, one for the end. */
import { LINK_SECONDS, type MediaStore } from "../../media/media-store";
import type { PartialImage } from "../../upstream/media-provider";
import { WaitingText } from "./alive-stream";
import {
  type AnswerItem,
  type Asked,
  completedText,
  eventText,
  itemOf,
  previewText,
  type StoredFile,
  type StoredImages,
} from "./image-answer";

export class ImageStream {
  /** What its reader has not got yet. */
  readonly waiting = new WaitingText();
  readonly #items: AnswerItem[] = [];
  /** Missing images before the first one: they tell nothing if there is none. */
  #held = "";
  #sent = "";

  constructor(
    readonly media: MediaStore,
    /** With the model that serves, once it is chosen. */
    public asked: Asked,
    /** Whether all of it is needed again at the end. */
    readonly isKept: boolean,
  ) {}

  /** Another attempt begins, after one without an image. */
  restart(): void {
    this.#items.length = 0;
    this.#held = "";
  }

  /** Shows an image, or that one is missing. */
  async show(given: StoredFile | { readonly error: string }): Promise<void> {
    const { media, asked } = this;
    const now = Date.now();
    const item = await itemOf(media, asked.request, given, new Date(now + LINK_SECONDS * 1000));
    this.#held += eventText(asked, now, this.#items.push(item) - 1, item);
    if (this.#items.some(({ error }) => error === undefined)) this.#send();
  }

  /** Shows a picture of an image that is not finished; it is not stored. */
  preview({ image, index }: PartialImage): void {
    if (!("bytes" in image)) return;
    const text = previewText(this.asked, Date.now(), index, image.bytes);
    if (this.isKept) this.#sent += text;
    this.waiting.push(text);
  }

  #send(): void {
    if (this.isKept) this.#sent += this.#held;
    this.waiting.push(this.#held);
    this.#held = "";
  }

  /** The last part of the text, and all of it where it is kept. */
  end(stored: StoredImages): { readonly text: string; readonly whole: string } {
    const text = completedText(this.asked, stored, this.#items);
    return { text, whole: this.#sent + text };
  }
}
