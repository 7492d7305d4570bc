import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "@swc/core";
import { expect, test } from "vitest";

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
const collections = new Set(["Map", "Set", "LinkedList", "WeakMap", "WeakSet", "Pool", "Agent"]);

const nameOf = (node: unknown): string => {
  const { value, id, property } = (node ?? {}) as {
    value?: unknown;
    id?: unknown;
    property?: unknown;
  };
  const inner = id ?? property;
  return typeof value === "string" ? value : isNode(inner) ? nameOf(inner) : "";
};

/** A map, a set, a pool, or an array that starts empty: a collection that may grow. */
function isCollection(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === "NewExpression") return collections.has(nameOf(value.callee));
  return value.type === "ArrayExpression" && (value.elements as unknown[]).length === 0;
}

const mentions = (node: Node, name: string): boolean =>
  (node.type === "Identifier" && node.value === name) ||
  childrenOf(node).some((child) => mentions(child, name));

/** The functions directly within a node, without nested ones. */
const functionsIn = (node: Node): Node[] =>
  childrenOf(node).flatMap((child) =>
    functions.has(child.type ?? "") ? [child] : functionsIn(child),
  );

/**
 * The names of collections that outlive the call that creates them: of modules, of classes, and
 * kept by a returned function.
 */
function keptIn(node: Node, scope: Node | null): string[] {
  const own: string[] = [];
  if (node.type === "VariableDeclarator" && isCollection(node.init)) {
    const name = nameOf(node.id);
    if (scope === null || functionsIn(scope).some((inner) => mentions(inner, name))) own.push(name);
  }
  if ((node.type === "ClassProperty" || node.type === "PrivateProperty") && isNode(node.value)) {
    if (
      isCollection(node.value) ||
      childrenOf(node.value).some((member) => isCollection(member.value))
    )
      own.push(nameOf(node.key));
  }
  const inner = functions.has(node.type ?? "") ? node : scope;
  return [...own, ...childrenOf(node).flatMap((child) => keptIn(child, inner))];
}

function kept(): string[] {
  const files = ["lib", "server"].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
      .filter(
        ({ name, parentPath }) =>
          /\.(ts|mjs)$/.test(name) &&
          !/\.test\.ts$|^testing/.test(name) &&
          !/lib\/(client|docs)|generated/.test(parentPath),
      )
      .map(({ name, parentPath }) => join(parentPath, name)),
  );
  return files.flatMap((file) => {
    const syntax = file.endsWith(".mjs") ? "ecmascript" : "typescript";
    const tree = parseSync(readFileSync(file, "utf8"), {
      syntax,
      target: "es2024",
    } as never) as unknown as Node;
    return [...new Set(keptIn(tree, null))].map((name) => `${relative(project, file)} ${name}`);
  });
}
const ofChatFields = (name: string): string => `lib/contract/chat-fields.ts ${name}`;
/** Built once from source text or from rows that were read: these do not grow. */
const fixed = new Set([
  "lib/accounts/key-entry.ts ownMultipliers",
  "lib/accounts/mail-domain.ts publicProviders",
  "lib/accounts/mail-domain.ts shared",
  "lib/accounts/session-principal.ts own",
  "lib/backup/tables.ts ordered",
  "lib/catalog/models.ts byName",
  "lib/channels/channel-registry.ts none",
  ...[
    "ownChatFields",
    "neverPassingChatFields",
    "messageFields",
    "textPartFields",
    "imagePartFields",
  ].map(ofChatFields),
  ...["imageUrlFields", "toolFields", "streamOptionFields", "functionFields"].map(ofChatFields),
  "lib/channels/health-recorder.ts customersFailures",
  "lib/db/grants.ts tableGrants",
  "lib/dialects/messages/conversation.ts blockFields",
  "lib/dialects/messages/native-answer.ts stopReasons",
  "lib/dialects/messages/native-blocks.ts sourceFields",
  "lib/dialects/messages/native-stream.ts forwarded",
  ...["plainFields", "userId", "choiceFields", "thinkingFields"].map(
    (name) => `lib/dialects/messages/native-request.ts ${name}`,
  ),
  "lib/dialects/messages/to-chat.ts requestFields",
  "lib/dialects/messages/to-chat.ts toolFields",
  "lib/http/auth-routes.ts getActions",
  "lib/http/auth-routes.ts postActions",
  "lib/http/route-table.ts byPath",
  "lib/http/route-table.ts endpoints",
  "lib/ledger/core/writer.ts connections",
  "lib/idempotency/retries.ts joined",
  "lib/metrics/relay-metrics.ts knownStatuses",
  "lib/relay/chat/chat-form.ts nothingLeftOut",
  "lib/sandbox/tool-calls.ts common",
  "lib/upstream/anthropic/event-reader.ts beforeContent",
  "lib/contract/channel-profile.ts nothingUnread",
  "lib/relay/chat/passing-fields.ts saysByNull",
  "lib/upstream/transport/refusal-failure.ts ownFields",
  "server/page-body.ts limits",
]);
/** Live as long as one call, whose input is bounded. */
const ofOneCall = new Set([
  "lib/ledger/core/batch-statement.ts places",
  "lib/price-book/unit-sums.ts sums",
  "lib/queries/invites.ts emails",
  "lib/accounts/key-entry.ts groups",
  "lib/queries/examples.ts films",
  "lib/db/apply-functions.ts versions",
  "lib/sandbox/json-schema/document.ts open",
  "lib/sandbox/json-schema/document.ts items",
  "lib/sandbox/json-schema/height.ts known",
  "lib/sandbox/json-schema/height.ts open",
  "lib/sandbox/json-schema/members.ts required",
  "lib/sandbox/json-schema/pattern.ts ranges",
  "lib/contract/reference-fields.ts fields",
  "lib/dialects/responses/tools.ts names",
  "lib/media/fetch-result.ts own",
  "lib/queries/models.ts channels",
  "lib/queries/models.ts prices",
  "lib/queries/users.ts names",
  "lib/relay/video/requested-video.ts references",
]);
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

test("every map, set, list and pool that outlives a call is in docs/limits.md with its bound", () => {
  const growing = kept().filter(
    (name) => !fixed.has(name) && !ofOneCall.has(name) && !ofBuild.test(name),
  );
  expect(growing.length).toBeGreaterThan(45);
  const told = documented();
  expect(growing.filter((name) => !told.includes(name))).toEqual([]);
});

test("docs/limits.md names only what exists", () => {
  for (const name of documented()) {
    const [path = "", identifier = ""] = name.split(" ");
    expect(readFileSync(join(project, path), "utf8"), name).toMatch(
      new RegExp(`\\b${identifier}\\b`),
    );
  }
});

test("the search finds collections that outlive a call, and no others", () => {
  const source = `
    const known = new Map();
    class Book { #all = new Set(); byKind = { a: new Map() }; list = []; }
    export function open() {
      const cache = new Map(); const waiting = []; const local = new Set();
      for (const item of local) waiting.push(item);
      return { find: (id) => cache.get(id), wait: () => waiting.push(1) };
    }`;
  expect(
    keptIn(parseSync(source, { syntax: "ecmascript", target: "es2024" }) as never, null),
  ).toEqual(["known", "all", "byKind", "list", "cache", "waiting"]);
});
