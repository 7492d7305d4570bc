import type { ReactNode } from "react";

/** A list of names and short values. */
export function FactList({ facts }: { facts: readonly { name: ReactNode; text: ReactNode }[] }) {
  return (
    <dl className="@container grid border-t">
      {facts.map(({ name, text }, place) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          key={place}
          className="grid gap-x-6 gap-y-0.5 border-b py-2.5 @md:grid-cols-[14rem_minmax(0,1fr)]"
        >
          <dt className="font-medium">{name}</dt>
          <dd className="text-muted">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
