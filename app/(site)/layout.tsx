import type { ReactNode } from "react";
import { lowBalance } from "@/app/_server/account-state";
import { footerFacts } from "@/app/_server/brand";
import { ownAccounts } from "@/app/_server/members";
import { shownNotices } from "@/app/_server/notices";
import { ClientMessages } from "@/components/shell/client-messages";
import { Notices } from "@/components/shell/notices";
import { SignedInFrame } from "@/components/shell/signed-in-frame";
import { SiteFrame } from "@/components/shell/site-frame";
import { ShownAccount } from "@/lib/client/shown-account";
import { currentUser } from "@/lib/session/current-user";

const texts = ["ui", "shell", "families"] as const;

/** Docs, models and prices: with the side bar for who is signed in, with a header for others. */
export default async function SiteLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  const notices = await shownNotices();
  if (user === null) {
    return (
      <ClientMessages of={texts}>
        <SiteFrame
          isSignedIn={false}
          footer={await footerFacts()}
          notices={<Notices notices={notices} />}
        >
          {children}
        </SiteFrame>
      </ClientMessages>
    );
  }
  return (
    <ClientMessages of={[...texts, "meta", "palette", "points", "failures"]}>
      <ShownAccount
        key={user.accountId}
        id={user.accountId}
        role={user.role}
        isSuspended={user.isSuspended}
      >
        <SignedInFrame
          accounts={await ownAccounts(user)}
          email={user.email}
          name={user.name}
          isOperator={user.isOperator}
          lowBalance={await lowBalance(user.accountId)}
        >
          <Notices notices={notices} className="mb-5" />
          {children}
        </SignedInFrame>
      </ShownAccount>
    </ClientMessages>
  );
}
