import { useTranslations } from "next-intl";
import { useState } from "react";
import { AskDialog } from "@/components/forms/ask-dialog";
import { Button } from "@/components/ui/button";
import { leave } from "@/lib/client/members";
import type { MemberView } from "@/lib/contract/members";

/** Opens the dialog in which a member leaves; tells the owner why not. */
export function LeaveAccount({ members }: { members: readonly MemberView[] }) {
  const t = useTranslations("members");
  const [isOpen, setIsOpen] = useState(false);
  const you = members.find(({ isYou }) => isYou);
  if (you === undefined) return null;
  if (you.role === "owner")
    return members.length > 1 ? <p className="mt-4 text-muted text-sm">{t("ownerStays")}</p> : null;
  return (
    <>
      <Button className="mt-4" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t("leave")}
      </Button>
      {isOpen ? <LeaveDialog keys={you.keys} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function LeaveDialog({ keys, onClose }: { keys: number; onClose: () => void }) {
  const t = useTranslations("members");
  return (
    <AskDialog
      send={leave}
      title={t("leaveTitle")}
      note={t("leaveNote", { count: keys })}
      go={t("leave")}
      isDangerous
      onClose={onClose}
    />
  );
}
