/** The files of the newest results: a few that the sandbox draws, each kept for several results. */
import { createStudio } from "@/lib/sandbox/studio";
import { imagePrompts, videoPrompts } from "./prompts";
import type { Writing } from "./writing";

const DRAWN = 3;

/** Draws meanwhile. */
export function drawResults() {
  const studio = createStudio();
  const draw = (prompts: readonly string[], format: Parameters<typeof studio.make>[0]) =>
    Promise.all(prompts.slice(0, DRAWN).map((prompt) => studio.make({ ...format, prompt })));
  const video = { kind: "mp4", prompt: "", width: 864, height: 496, seconds: 5 } as const;
  const image = { kind: "png", prompt: "", width: 1024, height: 1024 } as const;
  const files = { video: draw(videoPrompts, video), image: draw(imagePrompts, image) };
  // A failure is reported where a file is kept.
  for (const each of Object.values(files)) each.catch(() => {});
  return { files, close: studio.close };
}

interface Young {
  readonly id: string;
  readonly family: "video" | "image";
  readonly email: string;
  readonly ended_at: Date;
}

/** Adds that the file of each result that is young enough is stored when the result is there. */
export async function keepResults(
  writing: Writing,
  { files }: ReturnType<typeof drawResults>,
): Promise<void> {
  const { timeline, demo } = writing;
  const { rows } = await demo.owner.query<Young>(
    `select id, family, email, ended_at from past.planned
      where has_file and failure is null and ended_at is not null order by ended_at`,
  );
  rows.forEach(({ id, family, email, ended_at }, index) => {
    timeline.add(ended_at.getTime(), async () => {
      const file = (await files[family])[index % DRAWN] ?? new Uint8Array();
      const { mediaId } = await demo.media.keep(family, file, writing.person(email).accountId);
      await demo.owner.query("update past.planned set media_id = $2 where id = $1", [id, mediaId]);
    });
  });
}
