import type { ComponentProps } from "react";

/** How Markdown is shown that a model, an operator or a customer wrote. */
export const markdownParts = {
  // An image would reveal the reader to its server, so only its alt text is shown.
  img: ({ alt }: ComponentProps<"img">) => <em>{alt}</em>,
  table: ({ children }: ComponentProps<"table">) => (
    <div className="my-3 overflow-x-auto">
      <table className="border [&_td]:border [&_td]:px-2.5 [&_td]:py-1 [&_th]:border [&_th]:px-2.5 [&_th]:py-1">
        {children}
      </table>
    </div>
  ),
};
