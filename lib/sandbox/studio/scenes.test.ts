import { expect, test } from "vitest";
import { Painter } from "./painter";
import { sceneOf, scenes } from "./scenes";

const pictureOf = (prompt: string, seconds = 0) => {
  const painter = new Painter({ width: 160, height: 90, prompt });
  painter.paint(seconds);
  // Without the labels, which say the prompt.
  return Buffer.from(painter.pixels.slice(160 * 4 * 20, 160 * 4 * 70)).toString("base64");
};

test("each of at least 24 scenes has words of its own, and no other word chooses before it", () => {
  expect(scenes.length).toBeGreaterThanOrEqual(24);
  const drawn = scenes.map(({ form, light, figure }) => `${form} ${light} ${figure}`);
  expect(new Set(drawn).size).toBeGreaterThanOrEqual(24);
  for (const scene of scenes)
    for (const word of scene.words) expect([word, sceneOf(`A ${word}`)]).toEqual([word, scene]);
});

test("the words of a prompt choose what is drawn; it moves", () => {
  expect(sceneOf("A LIGHTHOUSE in heavy rain")?.figure).toBe("tower");
  expect(sceneOf("雪中的狐狸")?.figure).toBe("animal");
  expect(sceneOf("xyzzy")).toBeNull();
  expect(pictureOf("A windmill")).toBe(pictureOf("A windmill"));
  expect(pictureOf("A windmill")).not.toBe(pictureOf("A windmill", 1));
  expect(pictureOf("A windmill")).not.toBe(pictureOf("A castle"));
});
