import { readdirSync, readFileSync } from "node:fs";
import { type Module, parseSync } from "@swc/core";
import { describe, expect, it } from "vitest";
import chineseApi from "@/app/_i18n/api.zh-CN.json";
import { builtInModels as models } from "@/lib/catalog/built-in";
import { modelTextKey } from "@/lib/client/model-text";
import { examples } from "@/lib/contract/examples";
import { apiReference } from "@/lib/contract/reference";
import en from "@/messages/en.json";
import chinese from "@/messages/zh-CN.json";
import { englishIn } from "@/testing/product/english-text";
import { operatorPages } from "./shell/operator-pages";

type Tree = { [key: string]: string | Tree };

function textsOf(tree: Tree, path = ""): [path: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[path + key, value] as [string, string]]
      : textsOf(value, `${path}${key}.`),
  );
}

/** The names of a text's values and tags, without the words that a plural chooses from. */
function placeholders(text: string): string[] {
  const names = [
    ...text.matchAll(/(?<!(?:one|other|=\d+) )\{(\w+)[,}]/g),
    ...text.matchAll(/<(\w+)>/g),
  ].map((match) => match[1] as string);
  return [...new Set(names)].sort();
}

/** Values that only choose a plural, which Chinese does not have. */
const onlyPlural = (text: string, name: string) =>
  text.includes(`{${name}, plural`) && !text.includes(`{${name}}`) && !text.includes("#");

function filesUnder(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".tsx"))
      .map((name) => `${folder}/${name}`),
  );
}

const spokenAttributes = new Set(["aria-label", "title", "placeholder", "alt", "label", "note"]);
const letters = /\p{L}{2}/u;

type Node = Record<string, unknown>;

/** Text that users would read and that is written into a component. */
function literalsIn(node: unknown, found: string[] = []): string[] {
  if (Array.isArray(node)) for (const each of node) literalsIn(each, found);
  else if (node && typeof node === "object") {
    const { type, value, name } = node as {
      type?: string;
      value?: unknown;
      name?: { value?: string };
    };
    if (type === "JSXText" && typeof value === "string" && letters.test(value))
      found.push(value.trim());
    if (type === "JSXAttribute" && name?.value && spokenAttributes.has(name.value)) {
      const literal = (value as { type?: string; value?: string } | null)?.value;
      if (typeof literal === "string" && letters.test(literal)) found.push(literal);
    }
    for (const child of Object.values(node as Node)) literalsIn(child, found);
  }
  return found;
}

const literalsOf = (source: string) =>
  literalsIn(parseSync(source, { syntax: "typescript", tsx: true }) as Module);

describe("texts", () => {
  it("exist in both languages with the same placeholders", () => {
    const chineseTexts = new Map(textsOf(chinese));
    const problems = textsOf(en).flatMap(([path, text]) => {
      const other = chineseTexts.get(path);
      chineseTexts.delete(path);
      if (other === undefined) return [`${path} is missing in zh-CN`];
      const there = placeholders(other).join();
      const isSame = placeholders(text).join() === there;
      const here = placeholders(text)
        .filter((name) => isSame || !onlyPlural(text, name))
        .join();
      return here === there ? [] : [`${path} has ${here} in en and ${there} in zh-CN`];
    });
    expect([
      ...problems,
      ...[...chineseTexts.keys()].map((path) => `${path} is missing in en`),
    ]).toEqual([]);
  });

  it("are never empty", () => {
    expect([...textsOf(en), ...textsOf(chinese)].filter(([, text]) => text.trim() === "")).toEqual(
      [],
    );
  });

  it("leave moments to the parts that know the reader's zone", () => {
    const dated = [...textsOf(en), ...textsOf(chinese)].filter(([, text]) =>
      /\{\w+, (date|time)/.test(text),
    );
    expect(dated).toEqual([]);
    const inUtc = filesUnder("app", "components").filter((file) => {
      const source = readFileSync(file, "utf8");
      return source.includes(".dateTime(") && !source.includes('timeZone: "UTC"');
    });
    expect(inUtc).toEqual([]);
  });

  it("describe every model of the catalogue", () => {
    for (const model of models) expect(en.models[modelTextKey(model)], model.id).toBeTruthy();
  });

  it("are not written into components", () => {
    const files = filesUnder("app", "components");
    expect(files.length).toBeGreaterThan(40);
    expect(
      files.flatMap((file) =>
        literalsOf(readFileSync(file, "utf8")).map((text) => `${file}: ${text}`),
      ),
    ).toEqual([]);
  });

  it("are found when they are written into a component", () => {
    expect(
      literalsOf('const a = <p>Hello</p>; const b = <img alt="A cat" />; const c = <i>{x} · </i>;'),
    ).toEqual(["Hello", "A cat"]);
  });
});

/** Another word for the same thing, and the one that the pages use for it. */
const discardedWords = {
  试验场: "演练场",
  通道: "渠道",
  预占: "冻结",
  预扣: "冻结",
  释放: "退回",
  归还: "退回",
  返还: "退回",
  安装设置: "系统设置",
  以代码表示的请求: "查看请求代码",
  基础地址: "Base URL",
  令牌: "token",
  代金券: "券码",
  参考图片: "参考图",
  标识: "ID",
  您: "你",
  更改: "修改",
};

/** Marks of another width than Chinese has beside its characters, but for `2. 付款`, a number of a list. */
const halfWidth =
  /[\p{Script=Han}”」）][ ]?[,;:!?()]|[\p{Script=Han}”」）]\.(?![\w*])|[,;:!?()][ ]?[\p{Script=Han}“「（]|(?<!^\d)\.[ ]?[\p{Script=Han}“「（]|[}>][,;:!?.](?: |$)/gu;
const mixedIn = (text: string): string[] =>
  text.replaceAll(/<code>.*?<\/code>|\{\w+, plural,|\bhttps?:|\bdata:\S+/g, "…").match(halfWidth) ??
  [];

/** Texts that a component joins by the marks of one language. */
const joinedIn = (source: string): string[] =>
  source.match(/\}[.,;:!] \$\{[^`]{0,40}|\)\}[.,;:!] ?[{<]|\.join\("[,;] "\)/g) ?? [];

describe("a page", () => {
  it("has one name, also where other texts speak of it", () => {
    const others = /Points (&|and) keys|Points & top-up|积分与密钥|积分和充值/;
    expect([...textsOf(en), ...textsOf(chinese)].filter(([, text]) => others.test(text))).toEqual(
      [],
    );
    for (const { shell, points, notFound } of [en, chinese])
      expect([points.title, notFound.docs]).toEqual([shell.points, shell.docs]);
  });
});

describe("an operators' page", () => {
  it.each([
    ["en", en],
    ["zh-CN", chinese],
  ] as const)("is called the same in the side bar and at its head: %s", (_, texts) => {
    const heads: Record<string, unknown> = texts.operator;
    for (const { href, name } of operatorPages.filter((page) => page.href !== "/admin")) {
      const place = href.split("/").at(-1)?.replace("upstream-", "") ?? "";
      expect(heads[place], href).toMatchObject({ title: texts.shell[name] });
    }
  });
});

describe("the Chinese texts", () => {
  it("have one word for each thing", () => {
    const found = textsOf(chinese).flatMap(([path, text]) =>
      Object.entries(discardedWords)
        .filter(([word]) => text.includes(word))
        .map(([word, better]) => `${path} says ${word}, elsewhere ${better}`),
    );
    expect(found).toEqual([]);
  });

  it("have the marks of Chinese, also where a component joins them", () => {
    const found = [...textsOf(chinese), ...Object.entries(chineseApi)].flatMap(([path, text]) =>
      mixedIn(text).map((mark) => `${path}: ${mark} in ${text}`),
    );
    expect(found).toEqual([]);
    const mixed = "每月 {points} 积分. 剩余积分,到期(全部) <b>吗</b>?";
    expect(mixedIn(mixed)).toEqual(["分.", "分,", "期(", "部)", ">?"]);
    // The tags of a request are code.
    const files = filesUnder("app", "components").filter(
      (file) => !file.includes("request-columns"),
    );
    const joined = files.flatMap((file) =>
      joinedIn(readFileSync(file, "utf8")).map((text) => `${file}: ${text}`),
    );
    expect(joined).toEqual([]);
    const joins = ["`$", "{points}. $", '{goesOn}` + names.join(", ")'].join("");
    expect(joinedIn(joins)).toHaveLength(2);
  });

  it("have no English sentence", () => {
    const prose = (text: string) =>
      text.replaceAll(/<code>.*?<\/code>|\{\w+, [^{}]*|\{\w+\}/g, "…");
    const found = [...textsOf(chinese), ...Object.entries(chineseApi)].flatMap(([path, text]) =>
      englishIn(prose(text)).map((english) => `${path}: ${english}`),
    );
    expect(found).toEqual([]);
    expect(englishIn("调用前 The upstream could not answer.")).toEqual([
      "The upstream could not answer",
    ]);
  });

  it("have every sentence of the API document, and no others", () => {
    const spoken = apiReference().flatMap((entry) => [
      entry.summary,
      ...[
        ...[...entry.parameters, ...entry.query, ...entry.headers],
        ...[...entry.body, ...entry.answer, ...entry.event],
      ].map(({ description }) => description),
    ]);
    const titles = Object.values(examples()).flatMap((list) => list.map(({ summary }) => summary));
    const sentences = new Set([...spoken, ...titles]);
    expect([...sentences].filter((text) => !Object.hasOwn(chineseApi, text))).toEqual([]);
    expect(Object.keys(chineseApi).filter((text) => !sentences.has(text))).toEqual([]);
  });
});
