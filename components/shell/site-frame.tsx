import type { ReactNode } from "react";
import { Offline } from "./offline";
import { type FooterFacts, SiteFooter } from "./site-footer";
import { SiteHeader } from "./site-header";
import { SkipLink } from "./skip-link";

interface SiteFrameProps {
  isSignedIn: boolean;
  footer: FooterFacts;
  notices: ReactNode;
  children: ReactNode;
}

/** The frame of the public pages: a header, a footer. */
export function SiteFrame({ isSignedIn, footer, notices, children }: SiteFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Offline />
      <SiteHeader isSignedIn={isSignedIn} />
      <div className="mx-auto w-full max-w-280 px-5 pt-1 sm:px-8">{notices}</div>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-280 flex-1 px-5 pt-6 pb-16 outline-none sm:px-8 sm:pt-9"
      >
        {children}
      </main>
      <SiteFooter facts={footer} />
    </div>
  );
}
