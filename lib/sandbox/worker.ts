/**
 * The worker thread that draws and encodes. The encoder installs process-wide handlers, and its
 * work would block the server.
 */
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import { Painter } from "./studio/painter";
import { encodePng } from "./studio/png";

export type StudioJob = {
  readonly id: number;
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
} & ({ readonly kind: "png" } | { readonly kind: "mp4"; readonly seconds: number });
export type StudioResult =
  | { readonly id: number; readonly file: Uint8Array }
  | { readonly id: number; readonly error: string };

const { createH264MP4Encoder }: typeof import("h264-mp4-encoder") = createRequire(import.meta.url)(
  "h264-mp4-encoder",
);

const FRAMES_PER_SECOND = 12;
/** The encoder's speed: higher is faster and coarser. */
const SPEED = 10;
const QUANTIZATION = 34;

async function encodeVideo(painter: Painter, seconds: number): Promise<Uint8Array> {
  const encoder = await createH264MP4Encoder();
  try {
    encoder.width = painter.scene.width;
    encoder.height = painter.scene.height;
    encoder.frameRate = FRAMES_PER_SECOND;
    encoder.quantizationParameter = QUANTIZATION;
    encoder.speed = SPEED;
    encoder.initialize();
    for (let frame = 0; frame < seconds * FRAMES_PER_SECOND; frame++) {
      painter.paint(frame / FRAMES_PER_SECOND);
      encoder.addFrameRgba(painter.pixels);
    }
    encoder.finalize();
    const file = encoder.FS.readFile(encoder.outputFilename);
    encoder.FS.unlink(encoder.outputFilename);
    return file;
  } finally {
    encoder.delete();
  }
}

async function make(job: StudioJob): Promise<Uint8Array> {
  const painter = new Painter(job);
  if (job.kind === "mp4") return encodeVideo(painter, job.seconds);
  painter.paint(0);
  return encodePng(painter.pixels, job.width, job.height);
}

// One job at a time: the encoder has only one file system.
let last: Promise<void> = Promise.resolve();
parentPort?.on("message", (job: StudioJob) => {
  last = last
    .then(() => make(job))
    .then(
      (file): StudioResult => ({ id: job.id, file }),
      (error: unknown): StudioResult => ({ id: job.id, error: String(error) }),
    )
    .then((result) => parentPort?.postMessage(result));
});
