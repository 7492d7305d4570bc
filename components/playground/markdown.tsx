"use client";

import { useTranslations } from "next-intl";
import { type ComponentProps, isValidElement, type ReactNode } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { CopyButton } from "@/components/ui/copy-button";

function textOf(node: ReactNode): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map(textOf).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : "";
}

function CodeBlock({ children }: ComponentProps<"pre">) {
  const t = useTranslations("playground");
  return (
    <div className="relative my-3 rounded-md border bg-wash">
      <CopyButton
        look="quiet"
        hasText={false}
        text={textOf(children)}
        what={t("code")}
        className="absolute top-1 right-1"
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto p-3.5 pr-12 text-sm/relaxed">
        {children}
      </pre>
    </div>
  );
}

const outside = { target: "_blank", rel: "noopener noreferrer nofollow" };
const components = {
  pre: CodeBlock,
  // Loading an image that a model chose would reveal the reader to its server, so only its alt text
  // is shown.
  img: ({ alt }: ComponentProps<"img">) => <em>{alt}</em>,
  // A link whose address was removed is shown as text.
  a: ({ href, children }: ComponentProps<"a">) =>
    href ? (
      <a href={href} {...outside} className="underline underline-offset-2">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  table: ({ children }: ComponentProps<"table">) => (
    <div className="my-3 overflow-x-auto">
      <table className="border [&_td]:border [&_td]:px-2.5 [&_td]:py-1 [&_th]:border [&_th]:px-2.5 [&_th]:py-1">
        {children}
      </table>
    </div>
  ),
};
const plugins = [remarkGfm];

/** A model's text as Markdown. HTML in it stays text, and only web and mail links are kept. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="wrap-anywhere [&_h1]:mt-4 [&_h1]:text-xl [&_h2]:mt-4 [&_h2]:text-lg [&_h3]:mt-3 [&_h3]:font-medium [&_ol]:my-2 [&_ol]:list-decimal [&_ol]:pl-6 [&_p]:my-2 [&_ul]:my-2 [&_ul]:list-disc [&_ul]:pl-6">
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
