import type { ReactNode } from "react";
import { footerFacts } from "@/app/_server/brand";
import { shownNotices } from "@/app/_server/notices";
import { ClientMessages } from "@/components/shell/client-messages";
import { Notices } from "@/components/shell/notices";
import { SiteFooter } from "@/components/shell/site-footer";
import { SkipLink } from "@/components/shell/skip-link";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages of={["ui", "shell", "auth", "failures"]}>
      <div className="flex min-h-dvh flex-col">
        <SkipLink />
        <Notices
          notices={await shownNotices()}
          className="mx-auto w-full max-w-280 px-5 pt-4 sm:px-8"
        />
        {children}
        <SiteFooter facts={await footerFacts()} />
      </div>
    </ClientMessages>
  );
}
