import { CodeSamples } from "@/components/ui/code-samples";
import type { Sample as Code } from "@/lib/client/samples";

/** A titled code block. */
export function Sample({ title, code }: { title: string; code: readonly Code[] }) {
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{title}</p>
      <CodeSamples label={title} samples={code} />
    </div>
  );
}
