import type { Options } from "react-markdown";
import rehypeKatex from "rehype-katex";
import remarkMath from "remark-math";

/** Formulas as MathML, which browsers draw themselves. A faulty one is shown as it was written. */
export const mathPlugins: Required<Pick<Options, "remarkPlugins" | "rehypePlugins">> = {
  remarkPlugins: [[remarkMath, { singleDollarTextMath: false }]],
  rehypePlugins: [[rehypeKatex, { output: "mathml" }]],
};
