import { CodeBlock } from "@/components/ui/code-block";
import type { ClientFile } from "@/lib/docs/client-file";

/** A file that the reader writes, or commands, with a copy button. */
export function CodeFile({ title, file }: { title: string; file: ClientFile }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 font-medium text-sm">{title}</figcaption>
      <CodeBlock
        code={file.code}
        label={title}
        head={<code className="truncate">{file.name ?? "$"}</code>}
      />
    </figure>
  );
}
