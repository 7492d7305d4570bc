import type { ComponentProps } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";

const plugins = [remarkGfm];
const components = {
  // The page has a title of its own.
  h1: ({ children }: ComponentProps<"h1">) => <h2>{children}</h2>,
  // Nothing is loaded from elsewhere.
  img: ({ alt }: ComponentProps<"img">) => <em>{alt}</em>,
  table: ({ children }: ComponentProps<"table">) => (
    <div className="my-3 overflow-x-auto">
      <table className="border [&_td]:border [&_td]:px-2.5 [&_td]:py-1 [&_th]:border [&_th]:px-2.5 [&_th]:py-1">
        {children}
      </table>
    </div>
  ),
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
