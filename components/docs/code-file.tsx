import { CopyButton } from "@/components/ui/copy-button";
import { Highlight } from "@/components/ui/highlight";
import type { ClientFile } from "@/lib/docs/client-file";

/** A file that the reader writes, or commands, with a copy button. */
export function CodeFile({ title, file }: { title: string; file: ClientFile }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 font-medium text-sm">{title}</figcaption>
      <div className="overflow-hidden rounded-lg border bg-card">
        <div className="flex items-center justify-between gap-3 border-b py-1 pr-2 pl-4 text-muted text-sm">
          <code className="truncate">{file.name ?? "$"}</code>
          <CopyButton look="quiet" text={file.code} what={title} />
        </div>
        <section
          aria-label={title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
          tabIndex={0}
          className="-outline-offset-2 overflow-x-auto"
        >
          <pre className="w-max min-w-full p-4 text-sm/relaxed">
            <code>
              <Highlight code={file.code} />
            </code>
          </pre>
        </section>
      </div>
    </figure>
  );
}
