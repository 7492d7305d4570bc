import { readdirSync, readFileSync } from "node:fs";
import { type Module, parseSync } from "@swc/core";
import { describe, expect, it } from "vitest";
import { models } from "@/lib/catalog/models";
import { modelTextKey } from "@/lib/client/model-text";
import en from "@/messages/en.json";
import chinese from "@/messages/zh-CN.json";

type Tree = { [key: string]: string | Tree };

function textsOf(tree: Tree, path = ""): [path: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[path + key, value] as [string, string]]
      : textsOf(value, `${path}${key}.`),
  );
}

/** The names of a text's values and tags. */
function placeholders(text: string): string[] {
  const names = [...text.matchAll(/\{(\w+)[,}]/g), ...text.matchAll(/<(\w+)>/g)].map(
    (match) => match[1] as string,
  );
  return [...new Set(names)].sort();
}

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
      const [here, there] = [placeholders(text).join(), placeholders(other).join()];
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
