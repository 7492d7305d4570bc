import type { ReactNode } from "react";
import { Brand } from "@/components/ui/brand";

/** A page for errors and missing addresses: what happened, and links to continue. */
export function DeadEnd({
  title,
  text,
  children,
}: {
  title: string;
  text: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-150 flex-col justify-center px-6 py-16">
      <header>
        <Brand />
      </header>
      <main id="content">
        <h1 className="mt-9 text-4xl tracking-tighter">{title}</h1>
        <div className="mt-3 max-w-[52ch] text-lg text-muted">{text}</div>
        <div className="mt-7 flex flex-wrap gap-2.5">{children}</div>
      </main>
    </div>
  );
}
