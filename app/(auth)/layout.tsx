import type { ReactNode } from "react";
import { ClientMessages } from "@/components/shell/client-messages";
import { SiteFooter } from "@/components/shell/site-footer";
import { SkipLink } from "@/components/shell/skip-link";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages of={["ui", "shell", "auth", "failures"]}>
      <div className="flex min-h-dvh flex-col">
        <SkipLink />
        {children}
        <SiteFooter />
      </div>
    </ClientMessages>
  );
}
