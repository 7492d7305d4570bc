import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { useKeys } from "@/lib/client/api-keys";
import { useHiddenSteps } from "@/lib/client/hidden-steps";
import { readPoints } from "@/lib/client/points-display";
import { useNoticeSetting } from "@/lib/client/ready-notice";
import { usePermits } from "@/lib/client/shown-account";
import type { Me } from "@/lib/contract/me";
import type { Permission } from "@/lib/contract/member-roles";
import { NEW_KEY_PATH } from "@/lib/contract/page-paths";

interface Step {
  readonly name: "account" | "points" | "key" | "ask" | "warn" | "notify";
  readonly isDone: boolean;
  readonly href: string;
  /** What a member's role must include. */
  readonly needs?: Permission;
}

/** What a new user sets up, with what is done. Without points, adding some is the first of them. */
function useSteps(me: Me, isNew: boolean): Step[] {
  const keys = useKeys().data?.keys ?? [];
  const { state } = useNoticeSetting();
  const permits = usePermits();
  const hasPoints = readPoints(me.balance.available) > 0n;
  const steps: Step[] = [
    { name: "account", isDone: true, href: "/settings" },
    { name: "key", isDone: keys.some(({ status }) => status === "active"), href: NEW_KEY_PATH },
    { name: "ask", isDone: !isNew, href: "/playground", needs: "order" },
    {
      name: "warn",
      isDone: me.account.lowBalanceNotice !== null,
      href: "/settings#notices",
      needs: "changeAccount",
    },
  ];
  if (!hasPoints)
    steps.splice(1, 0, { name: "points", isDone: false, href: "/points", needs: "topUp" });
  if (state === "on" || state === "off")
    steps.push({ name: "notify", isDone: state === "on", href: "/playground/video" });
  return steps.filter(({ needs }) => needs === undefined || permits(needs));
}

/** The first steps, until all are done or the user hides them. */
export function FirstSteps({ me, isNew }: { me: Me; isNew: boolean }) {
  const t = useTranslations("overview.steps");
  const hidden = useHiddenSteps(me.user.id);
  const steps = useSteps(me, isNew);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length || hidden.isHidden) return null;
  return (
    <Card aria-labelledby="steps" className="px-4 pt-3.5 pb-2">
      <div className="flex items-baseline justify-between gap-4 pb-1">
        <h2 id="steps" className="text-lg">
          {t("title")}
        </h2>
        <p className="text-muted text-sm">{t("done", { done, all: steps.length })}</p>
      </div>
      <ol className="divide-y">
        {steps.map(({ name, isDone, href }) => (
          <li key={name} className="flex min-h-9 items-center gap-2.5 py-1 text-sm">
            <Mark isDone={isDone} />
            <span className={cn("flex-1", isDone && "text-muted")}>{t(`names.${name}`)}</span>
            {isDone ? null : (
              <Link
                href={href}
                className="underline decoration-line-strong underline-offset-3 hover:decoration-ink"
              >
                {t(`links.${name}`)}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {isNew ? null : (
        <Button look="quiet" size="small" className="-ml-2.5" onClick={hidden.hide}>
          {t("hide")}
        </Button>
      )}
    </Card>
  );
}

function Mark({ isDone }: { isDone: boolean }) {
  const t = useTranslations("overview.steps");
  return (
    <span
      className={cn(
        "grid size-4.5 shrink-0 place-content-center rounded-full border-2",
        isDone ? "border-ink bg-ink text-paper" : "border-line-strong",
      )}
    >
      {isDone ? <Check aria-hidden className="size-3" strokeWidth={3} /> : null}
      <span className="sr-only">{t(isDone ? "isDone" : "isOpen")}</span>
    </span>
  );
}
