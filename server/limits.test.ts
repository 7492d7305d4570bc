import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSource, productIn } from "./sources.mjs";

const project = join(import.meta.dirname, "..");

type Node = Record<string, unknown> & { type?: string };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const functions = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ClassMethod",
  "PrivateMethod",
  "Constructor",
]);
const collections = new Set(["Map", "Set", "LinkedList", "WeakMap", "WeakSet"]);

const nameOf = (node: unknown): string => {
  const { value, id, property } = (node ?? {}) as {
    value?: unknown;
    id?: unknown;
    property?: unknown;
  };
  const inner = id ?? property;
  return typeof value === "string" ? value : isNode(inner) ? nameOf(inner) : "";
};

/** Connections: they are opened while it is there. */
const isPool = (value: unknown): boolean =>
  isNode(value) && value.type === "NewExpression" && /^(Pool|Agent)$/.test(nameOf(value.callee));

/** A map, a set, or an array that starts empty. */
function isCollection(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === "NewExpression") return collections.has(nameOf(value.callee));
  return value.type === "ArrayExpression" && (value.elements as unknown[]).length === 0;
}

/** Calls at once what it is given, which nothing keeps. */
const callsAtOnce =
  /^(map|flatMap|forEach|filter|find|findLast|findIndex|some|every|reduce|sort|toSorted|from|fromEntries|replace|replaceAll)$/;

/** The functions directly within a node that may be called later. */
const functionsIn = (node: Node, isGiven = false): Node[] =>
  childrenOf(node).flatMap((child) => {
    if (child.type === "Constructor") return [];
    if (functions.has(child.type ?? "")) return isGiven ? functionsIn(child) : [child];
    const isArgument = child.type === undefined && node.type === "CallExpression";
    return functionsIn(child, isArgument && callsAtOnce.test(nameOf(node.callee)));
  });

const mentions = (node: Node, name: string): boolean =>
  (node.type === "Identifier" && node.value === name) ||
  childrenOf(node).some((child) => mentions(child, name));

const putting = new Set(["set", "add", "push", "unshift"]);

/** Whether a value is a variable or a member of this name, or a member of one. */
const isOf = (node: unknown, name: string): boolean =>
  isNode(node) && (nameOf(node) === name || isOf(node.object, name));

/** Whether something is put into the collection of this name. */
function isGrown(node: Node, name: string): boolean {
  const { callee } = node;
  if (node.type === "CallExpression" && isNode(callee) && putting.has(nameOf(callee.property)))
    if (isOf(callee.object, name)) return true;
  return childrenOf(node).some((child) => isGrown(child, name));
}

const growsLater = (scope: Node, name: string) =>
  functionsIn(scope).some((inner) => isGrown(inner, name));

/** A collection, or an object of some. */
const hasCollection = (value: Node) =>
  isCollection(value) || childrenOf(value).some((member) => isCollection(member.value));

/**
 * The names of collections that grow after the call that creates them: in a module, in a class, and
 * in functions that are called later.
 */
function growing(node: Node, scope: Node = node): string[] {
  const own: string[] = [];
  if (node.type === "VariableDeclarator" && isPool(node.init)) {
    const name = nameOf(node.id);
    if (functionsIn(scope).some((later) => mentions(later, name))) own.push(name);
  }
  if (node.type === "VariableDeclarator" && isCollection(node.init)) {
    if (growsLater(scope, nameOf(node.id))) own.push(nameOf(node.id));
  } else if (node.type === "ClassProperty" || node.type === "PrivateProperty") {
    if (isNode(node.value) && hasCollection(node.value) && growsLater(scope, nameOf(node.key)))
      own.push(nameOf(node.key));
  }
  const isScope = functions.has(node.type ?? "") || node.type === "ClassDeclaration";
  const inner = isScope ? node : scope;
  return [...own, ...childrenOf(node).flatMap((child) => growing(child, inner))];
}

function allGrowing(): string[] {
  return productIn(project, ["lib", "server"])
    .filter(({ path }) => !/^lib\/(client|docs)\//.test(path))
    .flatMap((file) => {
      const names = new Set(growing(parseSource(file) as unknown as Node));
      return [...names].map((name) => `${file.path} ${name}`);
    });
}
/** Build steps and test runs, which serve no requests. */
const ofBuild =
  /^server\/(licences|check|casts|sizes|functions|sources|prepare\/|test\.mjs|test\/)/;

/** The file and the names in each row of the tables, such as `lib/a.ts` `cache`, `other`. */
function documented(): string[] {
  const rows = readFileSync(join(project, "docs/limits.md"), "utf8").matchAll(
    /`((?:lib|server)\/[\w./-]+)`((?: `\w+`,?)+)/g,
  );
  return [...rows].flatMap(([, path, names]) =>
    [...(names as string).matchAll(/`(\w+)`/g)].map(([, name]) => `${path} ${name}`),
  );
}

test("every map, set and list that grows later, and every pool, is in docs/limits.md with its bound", () => {
  const found = allGrowing().filter((name) => !ofBuild.test(name));
  expect(found.length).toBeGreaterThan(45);
  const told = documented();
  expect(found.filter((name) => !told.includes(name))).toEqual([]);
});

test("docs/limits.md names only what exists", () => {
  for (const name of documented()) {
    const [path = "", identifier = ""] = name.split(" ");
    expect(readFileSync(join(project, path), "utf8"), name).toMatch(
      new RegExp(`\\b${identifier}\\b`),
    );
  }
});

test("the search finds collections that grow later, and no others", () => {
  const text = `
    const known = new Map(); const agent = new Agent(); const call = () => agent.get(); const words = new Set(["a"]);
    export const learn = (word) => known.set(word, 1);
    class Book {
      #all = new Set(); byKind = { a: new Map() }; list = []; fixed = [];
      constructor() { this.fixed.push(1); }
      put(one) { this.#all.add(one); this.byKind.a.set(one, 1); this.list.push(one); }
    }
    export function open() {
      const cache = new Map(); const waiting = []; const local = new Set(); const sums = [];
      for (const item of local) local.add(item);
      words.forEach((word) => sums.push(word));
      return { find: (id) => cache.get(id) ?? cache.set(id, 1), wait: () => waiting.push(1) };
    }`;
  expect(growing(parseSource({ path: "a.mjs", text }) as never)).toEqual([
    "known",
    "agent",
    "all",
    "byKind",
    "list",
    "cache",
    "waiting",
  ]);
});
