import type { ReactNode } from "react";
import { shownNotices } from "@/app/_server/notices";
import { ClientMessages } from "@/components/shell/client-messages";
import { Notices } from "@/components/shell/notices";
import { SiteFooter } from "@/components/shell/site-footer";
import { SiteHeader } from "@/components/shell/site-header";
import { SkipLink } from "@/components/shell/skip-link";
import { currentUser } from "@/lib/session/current-user";

export default async function SiteLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  return (
    <ClientMessages of={["ui", "shell", "families", "calculator"]}>
      <div className="flex min-h-dvh flex-col">
        <SkipLink />
        <SiteHeader isSignedIn={user !== null} />
        <Notices
          notices={await shownNotices()}
          className="mx-auto w-full max-w-280 px-5 pt-1 sm:px-8"
        />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-280 flex-1 px-5 pt-6 pb-16 outline-none sm:px-8 sm:pt-9"
        >
          {children}
        </main>
        <SiteFooter />
      </div>
    </ClientMessages>
  );
}
