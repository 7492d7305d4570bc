import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";
import { Highlight } from "./highlight";

interface CodeBlockProps {
  code: string;
  /** What the code is, for screen readers and the copy button. */
  label: string;
  head: ReactNode;
}

/** Code that scrolls sideways under a head with a copy button. */
export function CodeBlock({ code, label, head }: CodeBlockProps) {
  return (
    <div className="overflow-hidden rounded-lg border bg-card">
      <div className="flex items-center justify-between gap-3 border-b py-1 pr-2 pl-4 text-muted text-sm">
        {head}
        <CopyButton look="quiet" text={code} what={label} />
      </div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        tabIndex={0}
        className="-outline-offset-2 overflow-x-auto"
      >
        <pre className="w-max min-w-full p-4 text-sm/relaxed">
          <code>
            <Highlight code={code} />
          </code>
        </pre>
      </section>
    </div>
  );
}
