import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { builtInModels as models } from "../catalog/built-in";
import { findModel } from "../catalog/models";
import { findExample, listExamples } from "./examples";

const folder = await mkdtemp(join(tmpdir(), "relay-examples-"));
beforeAll(async () => {
  await mkdir(join(folder, "super-relay-2.5"));
  await mkdir(join(folder, "super-relay-img"));
  await mkdir(join(folder, "another"));
  const files = [
    "super-relay-2.5/a-fox_in-the-snow.mp4",
    "super-relay-2.5/a-fox_in-the-snow.jpg",
    "super-relay-2.5/.hidden.mp4",
    "super-relay-2.5/notes.txt",
    "super-relay-img/boats.webp",
    "super-relay-img/boats.txt",
    "another/boats.png",
    "secret.png",
  ];
  for (const file of files) await writeFile(join(folder, file), "0123456789");
});

test("the folder's files are shown by model, a video with its still", async () => {
  expect(await listExamples(folder)).toEqual([
    {
      model: "Super-Relay2.5",
      kind: "video",
      url: "/examples/super-relay-2.5/a-fox_in-the-snow.mp4",
      still: "/examples/super-relay-2.5/a-fox_in-the-snow.jpg",
      prompt: "A fox in the snow",
    },
    {
      model: "Super-Relay-Image",
      kind: "image",
      url: "/examples/super-relay-img/boats.webp",
      still: null,
      prompt: "0123456789",
    },
  ]);
  const image = findModel("Super-Relay-Image");
  expect(await listExamples(folder, image)).toHaveLength(1);
  expect(await listExamples(join(folder, "nothing"))).toEqual([]);
});

test("only what the list shows, and stills, are found", async () => {
  expect(await findExample(folder, "super-relay-2.5", "a-fox_in-the-snow.mp4")).toMatchObject({
    contentType: "video/mp4",
    bytes: 10,
  });
  expect(await findExample(folder, "super-relay-2.5", "a-fox_in-the-snow.jpg")).not.toBeNull();
  for (const [alias, file] of [
    ["super-relay-2.5", "notes.txt"],
    ["super-relay-img", "boats.txt"],
    ["super-relay-2.5", ".hidden.mp4"],
    ["super-relay-2.5", "../secret.png"],
    ["super-relay-2.5", "missing.png"],
    ["another", "boats.png"],
    ["..", "secret.png"],
    ["Super-Relay-Image", "boats.webp"],
  ] as const)
    expect(await findExample(folder, alias, file)).toBeNull();
});

test("a folder in the place of a file is not found", async () => {
  await mkdir(join(folder, "super-relay-img", "folder.png"));
  await symlink(join(folder, "gone"), join(folder, "super-relay-img", "gone.png"));
  expect(await findExample(folder, "super-relay-img", "folder.png")).toBeNull();
  expect(await findExample(folder, "super-relay-img", "gone.png")).toBeNull();
});

test("every model of videos and images has an example that the sandbox drew", async () => {
  const shown = new Set((await listExamples("public/sandbox-examples")).map(({ model }) => model));
  expect(shown).toEqual(
    new Set(models.filter(({ family }) => family !== "text").map(({ id }) => id)),
  );
});
