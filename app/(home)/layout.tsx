import type { ReactNode } from "react";
import { footerFacts } from "@/app/_server/brand";
import { shownNotices } from "@/app/_server/notices";
import { ClientMessages } from "@/components/shell/client-messages";
import { Notices } from "@/components/shell/notices";
import { SiteFrame } from "@/components/shell/site-frame";
import { currentUser } from "@/lib/session/current-user";

export default async function HomeLayout({ children }: { children: ReactNode }) {
  const isSignedIn = (await currentUser()) !== null;
  return (
    <ClientMessages of={["ui", "shell", "families"]}>
      <SiteFrame
        isSignedIn={isSignedIn}
        footer={await footerFacts()}
        notices={<Notices notices={await shownNotices()} />}
      >
        {children}
      </SiteFrame>
    </ClientMessages>
  );
}
