import type { ReactNode } from "react";
import { BrandName, brandLook } from "@/components/ui/brand-name";

interface DeadEndProps {
  title: string;
  text: ReactNode;
  isFramed?: boolean;
  children: ReactNode;
}

/**
 * A page for errors and missing addresses: what happened, and links to continue. `isFramed`: the
 * page around it shows the brand and has the `main` element. Every page loads it: no router.
 */
export function DeadEnd({ title, text, isFramed = false, children }: DeadEndProps) {
  const said = (
    <>
      <h1 className="text-4xl tracking-tighter">{title}</h1>
      <div className="mt-3 max-w-[52ch] text-lg text-muted">{text}</div>
      <div className="mt-7 flex flex-wrap gap-2.5">{children}</div>
    </>
  );
  if (isFramed) return <div className="py-16">{said}</div>;
  return (
    <div className="mx-auto flex min-h-dvh max-w-150 flex-col justify-center px-6 py-16">
      <header>
        <a href="/" className={brandLook}>
          <BrandName />
        </a>
      </header>
      <main id="content" className="mt-9">
        {said}
      </main>
    </div>
  );
}
