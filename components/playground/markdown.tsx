import { useTranslations } from "next-intl";
import { type ComponentProps, isValidElement, type ReactNode, useEffect, useState } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { CopyButton } from "@/components/ui/copy-button";
import { later } from "@/components/ui/later";
import { markdownParts } from "@/components/ui/markdown-parts";
import { loadCode } from "@/lib/client/load-code";
import { hasMath, withMath } from "@/lib/client/math-text";
import type { mathPlugins } from "./math-plugins";

const ColouredCode = later(() => import("./coloured-code").then((module) => module.ColouredCode), {
  plain: ({ code }) => code,
});

function textOf(node: ReactNode): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map(textOf).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : "";
}

/** The language that the fence of a block names; null for none. */
function languageOf(children: ReactNode): string | null {
  if (!isValidElement<{ className?: string }>(children)) return null;
  return /language-([\w+#.-]{1,40})/.exec(children.props.className ?? "")?.[1] ?? null;
}

function CodeBlock({ children }: ComponentProps<"pre">) {
  const t = useTranslations("playground");
  const language = languageOf(children);
  const code = textOf(children);
  return (
    <div className="relative my-3 rounded-md border bg-wash">
      {language ? (
        <p className="border-b px-3.5 py-1.5 pr-12 text-muted text-xs">{language}</p>
      ) : null}
      <CopyButton
        look="quiet"
        hasText={false}
        text={code}
        what={t("code")}
        className="absolute top-1 right-1"
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto p-3.5 pr-12 text-sm/relaxed">
        <code>
          {language ? <ColouredCode code={code} language={language.toLowerCase()} /> : code}
        </code>
      </pre>
    </div>
  );
}

const outside = { target: "_blank", rel: "noopener noreferrer nofollow" };
const components = {
  ...markdownParts,
  pre: CodeBlock,
  // A link whose address was removed is shown as text.
  a: ({ href, children }: ComponentProps<"a">) =>
    href ? (
      <a href={href} {...outside} className="underline underline-offset-2">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
};

/** What reads formulas, once it is needed and there. */
function useMathPlugins(isNeeded: boolean): typeof mathPlugins | null {
  const [plugins, setPlugins] = useState<typeof mathPlugins | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    // Without it, formulas are shown as they were written.
    loadCode(() => import("./math-plugins")).then(
      (module) => setPlugins(module.mathPlugins),
      () => {},
    );
  }, [isNeeded]);
  return isNeeded ? plugins : null;
}

/** A model's text as Markdown. HTML in it stays text, and only web and mail links are kept. */
export function Markdown({ text }: { text: string }) {
  const math = useMathPlugins(hasMath(text));
  return (
    <div className="wrap-anywhere [&_.katex-display]:overflow-x-auto [&_:not(pre)>code]:rounded-sm [&_:not(pre)>code]:bg-wash [&_:not(pre)>code]:px-1 [&_h1]:mt-4 [&_h1]:text-xl [&_h2]:mt-4 [&_h2]:text-lg [&_h3]:mt-3 [&_h3]:font-medium [&_ol]:my-2 [&_ol]:list-decimal [&_ol]:pl-6 [&_p]:my-2 [&_ul]:my-2 [&_ul]:list-disc [&_ul]:pl-6">
      <ReactMarkdown
        remarkPlugins={[remarkGfm, ...(math?.remarkPlugins ?? [])]}
        rehypePlugins={math?.rehypePlugins}
        components={components}
      >
        {math ? withMath(text) : text}
      </ReactMarkdown>
    </div>
  );
}
