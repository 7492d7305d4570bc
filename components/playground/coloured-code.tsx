import { common, createLowlight } from "lowlight";
import type { ReactNode } from "react";

const reader = createLowlight(common);

type Node = ReturnType<typeof reader.highlight>["children"][number];

/** A longer block is shown plain: it is read anew with each word that arrives. */
const CHARACTERS_MAX = 20_000;

const blue = "text-code";
const strong = "font-medium";
const quiet = "text-muted";
/** By the reader's names of what code consists of; what is not here is plain. */
const looks: Readonly<Record<string, string>> = {
  "hljs-keyword": strong,
  "hljs-built_in": strong,
  "hljs-title": strong,
  "hljs-section": strong,
  "hljs-name": strong,
  "hljs-selector-tag": strong,
  "hljs-string": blue,
  "hljs-number": blue,
  "hljs-literal": blue,
  "hljs-regexp": blue,
  "hljs-symbol": blue,
  "hljs-link": blue,
  "hljs-addition": blue,
  "hljs-comment": quiet,
  "hljs-meta": quiet,
  "hljs-doctag": quiet,
  "hljs-deletion": `${quiet} line-through`,
};

function shown(node: Node, at: number): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const names = node.properties.className;
  const look = (Array.isArray(names) ? names : []).map((name) => looks[String(name)]).find(Boolean);
  return (
    <span key={at} className={look}>
      {node.children.map(shown)}
    </span>
  );
}

/** Code with colours, in a language that the reader knows. */
export function ColouredCode({ code, language }: { code: string; language: string }) {
  if (code.length > CHARACTERS_MAX || !reader.registered(language)) return code;
  return reader.highlight(language, code).children.map(shown);
}
