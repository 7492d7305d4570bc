import { videoSize } from "@/lib/catalog/video-sizes";
import { expect, newKey, openPoints, test } from "./product";

interface Playing {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** The playback time when the video ended. */
  readonly end: number;
  /** Whether a frame in the middle differs from the first one. */
  readonly isMoving: boolean;
}

/** Plays the file at `url` in the page to its end. */
async function play(url: string): Promise<Playing> {
  const video = document.createElement("video");
  video.muted = true;
  video.src = url;
  document.body.append(video);
  const event = (name: string) =>
    new Promise<void>((resolve, reject) => {
      video.addEventListener(name, () => resolve(), { once: true });
      video.addEventListener(
        "error",
        () => reject(new Error(video.error?.message ?? "the video cannot be played")),
        { once: true },
      );
    });
  const frame = (): string => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [64, 36];
    const context = canvas.getContext("2d");
    context?.drawImage(video, 0, 0, 64, 36);
    return context?.getImageData(0, 0, 64, 36).data.join() ?? "";
  };
  const jump = async (seconds: number) => {
    const arrived = event("seeked");
    video.currentTime = seconds;
    await arrived;
  };
  await event("loadeddata");
  const first = frame();
  await jump(video.duration / 2);
  const isMoving = frame() !== first;
  await jump(video.duration - 0.4);
  const ended = event("ended");
  await video.play();
  await ended;
  return {
    width: video.videoWidth,
    height: video.videoHeight,
    seconds: video.duration,
    end: video.currentTime,
    isMoving,
  };
}

test("videos and images play in a browser with the ordered size and length", async ({
  page,
  baseURL,
}) => {
  const key = await newKey(await openPoints(page), "films");
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await fetch(`${baseURL}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  };
  const video = await post("/v1/videos/generations", {
    model: "super-relay-fast",
    prompt: "A lighthouse",
    resolution: "480p",
    ratio: "9:16",
    duration: 3,
  });
  const [width, height] = videoSize("first", "480p", "9:16");
  const played = await page.evaluate(play, video.video_url as string);
  expect(played).toMatchObject({ width, height, isMoving: true });
  expect(played.seconds).toBeCloseTo(3, 1);
  expect(played.end).toBeCloseTo(3, 1);

  const image = await post("/v1/images/generations", {
    model: "super-relay-img",
    prompt: "A fox",
    size: "1024x768",
  });
  const shown = await page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, image.data[0].url as string);
  expect(shown).toEqual([1024, 768]);
});
