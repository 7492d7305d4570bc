/** Draws the sandbox's images: a landscape that the prompt decides, and labels that say what it is. */
import { Canvas, CHARACTER_WIDTH, LABEL_HEIGHT } from "./canvas";
import { Landscape } from "./landscape";

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly prompt: string;
}

const MARK = "SANDBOX  NOT A REAL MODEL";
const CAPTION_CHARACTERS_MAX = 48;

/** A canvas of RGBA bytes on which the frames of one scene are drawn one after the other. */
export class Painter {
  readonly #canvas: Canvas;
  readonly #landscape: Landscape;

  constructor(readonly scene: Scene) {
    this.#canvas = new Canvas(scene.width, scene.height);
    this.#landscape = new Landscape(this.#canvas, scene.prompt);
  }

  get pixels(): Uint8Array {
    return this.#canvas.pixels;
  }

  /** Draws the frame at `seconds` into `pixels`. */
  paint(seconds: number): void {
    this.#landscape.paint(seconds);
    this.#mark();
  }

  /** Labels in two corners: that this is the sandbox, and the start of the prompt. */
  #mark(): void {
    const { width, height, prompt } = this.scene;
    const scale = Math.max(1, Math.floor(Math.min(width, height) / 240));
    this.#canvas.label(MARK, 0, 0, scale);
    const fitting = Math.floor(width / (CHARACTER_WIDTH * scale)) - 2;
    const caption = prompt
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, Math.min(fitting, CAPTION_CHARACTERS_MAX));
    if (caption !== "") this.#canvas.label(caption, 0, height - LABEL_HEIGHT * scale, scale);
  }
}
