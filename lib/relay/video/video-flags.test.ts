import fc from "fast-check";
import { expect, test } from "vitest";
import { findFlagsIn } from "./find-flags";
import { foldText } from "./folded-text";
import { parsePrompt } from "./video-flags";

const all = {
  resolution: "480p",
  duration: 7,
  ratio: "9:16",
  seed: 11,
  camera_fixed: true,
  watermark: false,
};

test.each([
  [
    "long names",
    "a cat --resolution 480p --duration 7 --ratio 9:16 --seed 11 --camerafixed true --watermark false",
  ],
  ["short names", "a cat --rs 480p --dur 7 --rt 9:16 --seed 11 --cf true --wm false"],
  [
    "upper case",
    "a cat --RESOLUTION 480P --Duration 7 --RaTio 9:16 --SEED 11 --CameraFixed TRUE --WaterMark False",
  ],
  [
    "tabs and newlines",
    "a cat\n--rs\t480p\r\n--dur\n7\n\n--rt 9:16\t--seed  11 --cf\ttrue --wm\nfalse\n",
  ],
  [
    "equals signs",
    "a cat --rs=480p --dur = 7 --rt= 9:16 --seed =11 --camera-fixed=true --camera_fixed=true --wm=false",
  ],
  ["no space before", "a cat--rs 480p --dur=7 --rt 9:16 --seed 11 --cf true --wm false"],
  ["typographic dashes", "a cat —rs 480p ——dur 7 －－rt 9:16 –seed 11 —cf true --wm false"],
  [
    "any order, twice the same",
    "a cat --wm false --dur 7 --cf true --rs 480p --rt 9:16 --seed 11 --dur 7 --fps 24",
  ],
])("flags at the end of a prompt are read and removed: %s", (_, text) => {
  const { prompt, flags, fault } = parsePrompt(text);
  expect(fault).toBeNull();
  expect(prompt).toBe("a cat");
  expect(flags).toEqual(all);
});

test.each([
  "a sign reading --open the door",
  "Say --hello to her",
  "the tree--seed of hope",
  "the end —ratio unknown— of it",
  "an aspect-ratio 16:9 television, a photo‑ratio 16:9",
  "a --seedling 5 and --durable 7 and --ratios 16:9 things",
  "a --draft of a letter",
  "mother-in-law -- a portrait",
  "a -- b",
  "two -- 5",
  "---",
  "",
])(
  "text that is not a known flag stays in the prompt, and so does an unknown flag before the end: %j",
  (text) => {
    expect(parsePrompt(text)).toMatchObject({ prompt: text, flags: {}, fault: null });
  },
);

test.each([
  ["a cat --speed 5", /--speed/],
  ["a cat --resolution", /--resolution/],
  ["a cat --dur 5 --wm", /--wm/],
  ["a cat --dur five", /--dur five/],
  ["a cat --dur 5.5", /--dur 5.5/],
  ["a cat --cf maybe", /--cf maybe/],
  ["a cat --wm constructor", /--wm constructor/],
  ["a cat --seed 4294967296", /--seed 4294967296/],
  ["a cat --fps 30", /--fps 30/],
  ["a cat --frames 57", /--frames/],
  ["a cat --dur 5 --duration 6", /--dur 5/],
  ["a cat --unknown=1 --dur 5", /--unknown/],
])("an unknown flag or a bad value at the end is named: %s", (text, naming) => {
  expect(parsePrompt(text).fault?.flag).toMatch(naming);
});

test("a lenient reading leaves unknown flags in the prompt and removes the known ones", () => {
  expect(parsePrompt("a --cat x --dur 5", true)).toMatchObject({
    prompt: "a --cat x",
    flags: { duration: 5 },
    fault: null,
  });
});

test.each([
  ["a cat --rs 1080p please", "a cat please", { resolution: "1080p" }],
  ["a cat --resolution 480p jumps", "a cat jumps", { resolution: "480p" }],
  ["--dur 5 a cat", "a cat", { duration: 5 }],
  ["a cat --rs 1080p.", "a cat.", { resolution: "1080p" }],
  ["a cat --rs 1080p.Then it jumps", "a cat.Then it jumps", { resolution: "1080p" }],
  ["a cat (--rs=1080p, --dur: 7) jumps", "a cat (,) jumps", { resolution: "1080p", duration: 7 }],
  ['a cat --rs "1080p" jumps', "a cat jumps", { resolution: "1080p" }],
  ["一只猫 --rs 480p，在跑", "一只猫，在跑", { resolution: "480p" }],
  ["一只猫--rs 480p在跑", "一只猫 在跑", { resolution: "480p" }],
  ["a cat ‐‐ｒｓ　１０８０ｐ jumps", "a cat jumps", { resolution: "1080p" }],
  ["a cat −−RS=1080P jumps", "a cat jumps", { resolution: "1080p" }],
  [
    "a cat --rs1080p --dur7 --wmtrue jumps",
    "a cat jumps",
    { resolution: "1080p", duration: 7, watermark: true },
  ],
  ["a cat ----rs 480p--dur 7 jumps", "a cat jumps", { resolution: "480p", duration: 7 }],
  ["a cat --rs 480p\u200b", "a cat \u200b", { resolution: "480p" }],
  ["a cat —rs 480p jumps", "a cat jumps", { resolution: "480p" }],
  ["say --hello --seed -1 to her", "say --hello to her", { seed: -1 }],
])("a known flag is removed wherever it is: %j", (text, prompt, flags) => {
  expect(parsePrompt(text)).toMatchObject({ prompt, flags, fault: null });
});

test.each([
  "a cat --rs 1080p\u200bplease",
  "a cat --r\u200bs 1080p",
  "a cat -\u200b-rs 1080p",
  "a cat --rs\ufeff 1080p",
  "a cat --rs 10\u00ad80p",
  "a cat --rs\u200bfoo 1080p",
  "a cat --rs) 1080p",
  "a cat --rs, 1080p",
  "a cat --rs 480p --rs 1080p",
  "a cat --frames 57 jumps",
  "a cat --service_tier flex jumps",
  "a tree--seed --rs 480p 5 leaves",
  "a cat --dur--rs 480p 5",
])("flags that an upstream could read differently are refused: %j", (text) => {
  expect(parsePrompt(text).fault).not.toBeNull();
  expect(parsePrompt(text, true).fault).not.toBeNull();
});

/**
 * Reads flags as leniently as an upstream could: any spelling, any boundary, with or without
 * invisible characters.
 */
function readByUpstream(text: string): string[] {
  const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
  const flag =
    /(?:-\s?-|--)(resolution|rs|ratio|rt|duration|dur|seed|camera[-_]?fixed|cf|watermark|wm|frames[-_]?per[-_]?second|fps|frames)[\s\p{P}=]*(\d[\w:.]*|true|false|adaptive)/giu;
  return [text.replace(hidden, ""), text.replace(hidden, " ")].flatMap((seen) =>
    [
      ...seen
        .replace(/[\p{Pd}\u2212]/gu, "-")
        .normalize("NFKC")
        .matchAll(flag),
    ].map(([found]) => found),
  );
}

test("the lenient reader of these tests finds flags", () => {
  expect(readByUpstream("a --rs 1080p, b --DUR=5 ‐‐ｗｍ：true")).toHaveLength(6);
});

test("no flag that a lenient upstream could read stays in a prompt, and the values read are those removed", () => {
  const word = fc.constantFrom(
    "a",
    "cat",
    "jumps",
    "--hello",
    "mother-in-law",
    "--",
    "-",
    "—",
    "猫",
    "5",
    "1080p",
    "16:9",
    "true",
    "(",
    ".",
  );
  const name = fc.constantFrom(
    "rs",
    "resolution",
    "RT",
    "ratio",
    "dur",
    "Duration",
    "seed",
    "cf",
    "camera-fixed",
    "wm",
    "ｗatermark",
    "fps",
  );
  const dashes = fc.constantFrom("--", "---", "——", "－－", "‐‐", "-\u200b-", "−−", "—");
  const glue = fc.constantFrom(" ", "=", " = ", "\u00a0", "\n", "", ":", "\u200b", ", ", '"', " -");
  const value = fc.constantFrom(
    "480p",
    "1080P",
    "720ｐ",
    "16:9",
    "5",
    "12",
    "-1",
    "24",
    "true",
    "FALSE",
    "adaptive",
    "of",
    "",
    "4\u200b80p",
  );
  const written = fc.tuple(dashes, name, glue, value).map((parts) => parts.join(""));
  const between = fc.constantFrom(" ", " ", "", ".", "\u200b", "，", "-", "\t");
  const text = fc
    .array(fc.tuple(fc.oneof(word, word, written), between), { maxLength: 12 })
    .map((pairs) => pairs.flat().join(""));
  let clean = 0;
  fc.assert(
    fc.property(text, fc.boolean(), (prompt, isLenient) => {
      const parsed = parsePrompt(prompt, isLenient);
      if (parsed.fault) return;
      clean += readByUpstream(prompt).length > 0 ? 1 : 0;
      expect(readByUpstream(parsed.prompt)).toEqual([]);
      expect(parsePrompt(parsed.prompt, isLenient)).toMatchObject({
        prompt: parsed.prompt,
        flags: {},
      });
    }),
    { numRuns: 6000, seed: 11 },
  );
  expect(clean).toBeGreaterThan(200);
});

test("the steps to read a prompt grow linearly with its length", () => {
  for (const [head, pump, tail] of [
    ["", "--a", ""],
    ["", "- ", ""],
    ["", "--dur ", ""],
    ["", "—rs", ""],
    ["", "--rs=480p ", ""],
    ["--rs", " ", ""],
    ["--rs ", "4", "!"],
    ["--rs ", "4:", "!"],
    ["", "-", "rs"],
    ["--", "camera_", ""],
    ["--", "camera-", ""],
    ["", "\u200b-", ""],
    ["", " ", "x"],
  ] as const) {
    const stepsOf = (times: number) => {
      const units = new Proxy(foldText(head + pump.repeat(times) + tail).units, {
        get(target, name) {
          steps++;
          return Reflect.get(target, name);
        },
      });
      let steps = 0;
      findFlagsIn(head + pump.repeat(times) + tail, {
        ...foldText(head + pump.repeat(times) + tail),
        units,
      });
      return steps;
    };
    expect(stepsOf(8000), `${head}${pump}…${tail}`).toBeLessThan(9 * stepsOf(1000));
  }
});
