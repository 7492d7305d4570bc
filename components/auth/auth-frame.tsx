import type { ReactNode } from "react";
import { Brand } from "@/components/ui/brand";

interface AuthFrameProps {
  title: string;
  note: ReactNode;
  children: ReactNode;
  foot: ReactNode;
}

/**
 * The layout of the sign-in and sign-up pages: one column, the brand, a card. It begins at a fixed
 * height: a centered card would move while the page arrives in pieces.
 */
export function AuthFrame({ title, note, children, foot }: AuthFrameProps) {
  return (
    <div className="mx-auto flex w-full max-w-104 flex-1 flex-col px-5 pt-12 pb-12 sm:pt-[14vh]">
      <header className="mb-8 self-center">
        <Brand />
      </header>
      <main id="content" tabIndex={-1} className="outline-none">
        <div className="rounded-xl border bg-card p-6 shadow-lift sm:p-7">
          <h1 className="text-2xl">{title}</h1>
          <p className="mt-1 mb-6 text-muted">{note}</p>
          {children}
        </div>
        {foot ? <p className="mt-5 text-center text-muted">{foot}</p> : null}
      </main>
    </div>
  );
}
