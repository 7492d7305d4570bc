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

/** The first whose word is in the prompt is drawn. */
export const scenes: readonly Scene[] = [
  { words: ["lighthouse", "beacon", "灯塔"], form: "sea", light: "dusk", figure: "tower" },
  {
    words: ["fox", "dog", "wolf", "cat", "狐", "狗", "猫"],
    form: "hills",
    light: "snow",
    figure: "animal",
  },
  { words: ["horse", "deer", "cow", "马", "鹿"], form: "hills", light: "meadow", figure: "animal" },
  {
    words: ["skyline", "metropolis", "street", "city", "城市", "街"],
    form: "hills",
    light: "night",
    figure: "city",
  },
  {
    words: ["castle", "temple", "palace", "城堡", "寺"],
    form: "peaks",
    light: "dusk",
    figure: "castle",
  },
  { words: ["windmill", "mill", "风车"], form: "hills", light: "day", figure: "mill" },
  { words: ["balloon", "airship", "气球"], form: "peaks", light: "day", figure: "balloon" },
  {
    words: ["rocket", "space", "planet", "火箭", "太空"],
    form: "peaks",
    light: "night",
    figure: "rocket",
  },
  { words: ["sail", "boat", "ship", "帆", "船"], form: "sea", light: "lagoon", figure: "boat" },
  {
    words: ["whale", "dolphin", "fish", "鲸", "鱼"],
    form: "sea",
    light: "lagoon",
    figure: "whale",
  },
  {
    words: ["bird", "gull", "eagle", "dragon", "鸟", "鹰", "龙"],
    form: "peaks",
    light: "dusk",
    figure: "birds",
  },
  {
    words: ["house", "cabin", "village", "barn", "房", "村"],
    form: "hills",
    light: "meadow",
    figure: "house",
  },
  {
    words: ["bridge", "train", "railway", "桥", "火车"],
    form: "peaks",
    light: "day",
    figure: "bridge",
  },
  {
    words: ["pine", "forest", "wood", "jungle", "森林", "松"],
    form: "hills",
    light: "meadow",
    figure: "pines",
  },
  { words: ["tree", "oak", "blossom", "树", "花"], form: "hills", light: "day", figure: "tree" },
  {
    words: ["person", "woman", "man", "girl", "boy", "dancer", "女人", "男人", "人物"],
    form: "hills",
    light: "dusk",
    figure: "person",
  },
  {
    words: ["robot", "machine", "android", "机器"],
    form: "hills",
    light: "night",
    figure: "person",
  },
  {
    words: ["desert", "dune", "camel", "sahara", "沙漠"],
    form: "hills",
    light: "desert",
    figure: null,
  },
  { words: ["cactus", "canyon", "峡谷"], form: "peaks", light: "desert", figure: "cactus" },
  {
    words: ["snow", "winter", "ice", "雪", "冬", "冰"],
    form: "peaks",
    light: "snow",
    figure: "pines",
  },
  { words: ["storm", "rain", "thunder", "暴", "雨"], form: "sea", light: "storm", figure: "boat" },
  {
    words: ["beach", "island", "palm", "沙滩", "岛"],
    form: "sea",
    light: "desert",
    figure: "tree",
  },
  {
    words: ["ocean", "sea", "wave", "lake", "海", "湖", "浪"],
    form: "sea",
    light: "lagoon",
    figure: null,
  },
  { words: ["mountain", "alps", "peak", "山", "峰"], form: "peaks", light: "day", figure: null },
  {
    words: ["night", "star", "moon", "夜", "星", "月"],
    form: "peaks",
    light: "night",
    figure: "pines",
  },
  {
    words: ["sunset", "sunrise", "dawn", "evening", "日落", "日出"],
    form: "sea",
    light: "dusk",
    figure: "birds",
  },
  {
    words: ["field", "meadow", "garden", "田", "草"],
    form: "hills",
    light: "meadow",
    figure: "mill",
  },
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
