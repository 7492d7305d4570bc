import { Link } from "@/components/ui/link";
import type { ReferenceEntry } from "@/lib/contract/reference";
import { PathText } from "./path-text";

interface EndpointLinksProps {
  /** The page of the group. */
  path: string;
  endpoints: readonly Pick<ReferenceEntry, "name" | "method" | "path" | "summary">[];
}

/** Links to the endpoints of a group, with what each does. */
export function EndpointLinks({ path, endpoints }: EndpointLinksProps) {
  return (
    <ul className="mt-3 grid border-t text-sm">
      {endpoints.map((entry) => (
        <li key={entry.name} id={entry.name} className="scroll-mt-6 border-b">
          <Link
            href={`${path}#${entry.name}`}
            data-endpoint
            prefetch={false}
            className="grid gap-x-4 rounded-sm py-2 hover:bg-wash sm:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]"
          >
            <span className="grid grid-cols-[3.75rem_minmax(0,1fr)]">
              <code className="text-muted text-xs leading-5">{entry.method}</code>
              <code className="[overflow-wrap:anywhere]">
                <PathText path={entry.path} />
              </code>
            </span>
            <span className="text-muted max-sm:pl-15">{entry.summary}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
