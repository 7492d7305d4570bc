import type { ComponentProps } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { markdownParts } from "./markdown-parts";

const plugins = [remarkGfm];
const components = {
  ...markdownParts,
  // The page has a title of its own.
  h1: ({ children }: ComponentProps<"h1">) => <h2>{children}</h2>,
};

/** An operator's text as Markdown. HTML in it stays text, and only web and mail links are kept. */
export function OwnMarkdown({ text }: { text: string }) {
  return (
    <div className="wrap-anywhere [&_a]:underline [&_a]:underline-offset-2 [&_h2]:mt-7 [&_h2]:text-xl [&_h3]:mt-5 [&_h3]:text-lg [&_ol]:my-3 [&_ol]:list-decimal [&_ol]:pl-6 [&_p]:my-3 [&_ul]:my-3 [&_ul]:list-disc [&_ul]:pl-6">
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
