import type { ReactNode } from "react";

interface PageHeadProps {
  title: string;
  note?: string | undefined;
  children?: ReactNode;
}

export function PageHead({ title, note, children }: PageHeadProps) {
  return (
    <div className="mb-5.5 flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 className="wrap-anywhere text-2xl">{title}</h1>
        {note ? <p className="mt-0.5 text-muted">{note}</p> : null}
      </div>
      {children}
    </div>
  );
}
