/** Which landscape, light and figure the words of a prompt choose. */
import type { FigureName } from "./figures";
import type { LightName } from "./palettes";

export const forms = ["hills", "peaks", "sea"] as const;
export type Form = (typeof forms)[number];

export interface Scene {
  /** Any of them chooses the scene. */
  readonly words: readonly string[];
  readonly form: Form;
  readonly light: LightName;
  /** What stands in front; null: only the land. */
  readonly figure: FigureName | null;
}

const scene = (words: string, form: Form, light: LightName, figure: FigureName | null): Scene => ({
  words: words.split(" "),
  ...{ form, light, figure },
});

/** The first whose word is in the prompt is drawn. */
export const scenes: readonly Scene[] = [
  scene("lighthouse beacon 灯塔", "sea", "dusk", "tower"),
  scene("fox dog wolf cat 狐 狗 猫", "hills", "snow", "animal"),
  scene("horse deer cow 马 鹿", "hills", "meadow", "animal"),
  scene("skyline metropolis street city 城市 街", "hills", "night", "city"),
  scene("castle temple palace 城堡 寺", "peaks", "dusk", "castle"),
  scene("windmill mill 风车", "hills", "day", "mill"),
  scene("balloon airship 气球", "peaks", "day", "balloon"),
  scene("rocket space planet 火箭 太空", "peaks", "night", "rocket"),
  scene("sail boat ship 帆 船", "sea", "lagoon", "boat"),
  scene("whale dolphin fish 鲸 鱼", "sea", "lagoon", "whale"),
  scene("bird gull eagle dragon 鸟 鹰 龙", "peaks", "dusk", "birds"),
  scene("house cabin village barn 房 村", "hills", "meadow", "house"),
  scene("bridge train railway 桥 火车", "peaks", "day", "bridge"),
  scene("pine forest wood jungle 森林 松", "hills", "meadow", "pines"),
  scene("tree oak blossom 树 花", "hills", "day", "tree"),
  scene("person woman man girl boy dancer 女人 男人 人物", "hills", "dusk", "person"),
  scene("robot machine android 机器", "hills", "night", "person"),
  scene("desert dune camel sahara 沙漠", "hills", "desert", null),
  scene("cactus canyon 峡谷", "peaks", "desert", "cactus"),
  scene("snow winter ice 雪 冬 冰", "peaks", "snow", "pines"),
  scene("storm rain thunder 暴 雨", "sea", "storm", "boat"),
  scene("beach island palm 沙滩 岛", "sea", "desert", "tree"),
  scene("ocean sea wave lake 海 湖 浪", "sea", "lagoon", null),
  scene("mountain alps peak 山 峰", "peaks", "day", null),
  scene("night star moon 夜 星 月", "peaks", "night", "pines"),
  scene("sunset sunrise dawn evening 日落 日出", "sea", "dusk", "birds"),
  scene("field meadow garden 田 草", "hills", "meadow", "mill"),
];

const LATIN = /^[a-z]/;

/** Null where no word of the prompt is known. */
export function sceneOf(prompt: string): Scene | null {
  const text = prompt.toLowerCase();
  const words = new Set(text.split(/[^a-z]+/));
  const isSaid = (word: string) =>
    LATIN.test(word) ? words.has(word) || words.has(`${word}s`) : text.includes(word);
  return scenes.find((scene) => scene.words.some(isSaid)) ?? null;
}
