/**
 * Videos and images that public pages show, from a folder with a folder for each model's alias. An
 * image with the name of a video is its still. A text with the name of a file is its prompt; without
 * one the prompt is the name's words.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { findModel, type Model, offeredModels } from "../catalog/models";
import type { Example } from "../contract/shown-example";

/** The most files of a model that are shown. */
const FILES_PER_MODEL_MAX = 24;
const PROMPT_LENGTH_MAX = 2000;
const namePattern = /^[a-z0-9][a-z0-9_-]{0,99}\.(mp4|png|jpg|webp)$/i;
const types: Readonly<Record<string, string>> = {
  mp4: "video/mp4",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
};

const extensionOf = (file: string) => file.slice(file.lastIndexOf(".") + 1).toLowerCase();
const baseOf = (file: string) => file.slice(0, file.lastIndexOf("."));

/** Empty without such a folder. */
const namesOf = (folder: string, { alias }: Model): Promise<string[]> =>
  readdir(join(folder, alias)).catch(() => []);

const shownOf = (names: readonly string[]): string[] =>
  names
    .filter((name) => namePattern.test(name))
    .toSorted()
    .slice(0, FILES_PER_MODEL_MAX);

async function promptOf(path: string, base: string, hasText: boolean): Promise<string> {
  const given = hasText ? await readFile(join(path, `${base}.txt`), "utf8").catch(() => "") : "";
  const words = base.replaceAll(/[-_]+/g, " ").trim();
  return (
    given.trim().slice(0, PROMPT_LENGTH_MAX) ||
    `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
  );
}

async function examplesOf(folder: string, model: Model): Promise<Example[]> {
  const names = await namesOf(folder, model);
  const files = shownOf(names);
  const addressOf = (file: string) => `/examples/${model.alias}/${file}`;
  const films = new Set(files.filter((file) => extensionOf(file) === "mp4").map(baseOf));
  const shown = files.filter((file) => extensionOf(file) === "mp4" || !films.has(baseOf(file)));
  return Promise.all(
    shown.map(async (file): Promise<Example> => {
      const base = baseOf(file);
      const isVideo = films.has(base);
      const still = isVideo && files.find((each) => each !== file && baseOf(each) === base);
      return {
        model: model.id,
        kind: isVideo ? "video" : "image",
        url: addressOf(file),
        still: still ? addressOf(still) : null,
        prompt: await promptOf(join(folder, model.alias), base, names.includes(`${base}.txt`)),
      };
    }),
  );
}

/** All examples in the order of the catalogue, or those of one model. */
export async function listExamples(folder: string, only?: Model): Promise<Example[]> {
  const shown = only ? [only] : offeredModels().filter(({ family }) => family !== "text");
  return (await Promise.all(shown.map((model) => examplesOf(folder, model)))).flat();
}

export interface ExampleFile {
  readonly path: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly changedAt: Date;
}

/** A file that the list shows, or a still of one; null for any other name. */
export async function findExample(
  folder: string,
  alias: string,
  file: string,
): Promise<ExampleFile | null> {
  const model = findModel(alias);
  if (!model || model.alias !== alias || !namePattern.test(file)) return null;
  if (!shownOf(await namesOf(folder, model)).includes(file)) return null;
  const path = join(folder, alias, file);
  const found = await stat(path).catch(() => null);
  const contentType = types[extensionOf(file)];
  if (!found?.isFile() || contentType === undefined) return null;
  return { path, contentType, bytes: found.size, changedAt: found.mtime };
}
