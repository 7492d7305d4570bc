import { Ellipsis } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { cn } from "@/components/ui/class-names";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import type { ShellPage } from "./pages";
import { SignOutButton } from "./sign-out-button";

interface MorePagesSheetProps {
  pages: readonly ShellPage[];
  person: ReactNode;
  /** Of the button. */
  className: string;
}

/** The last button of a phone's navigation bar; it opens a list of the remaining pages. */
export function MorePagesSheet({ pages, person, className }: MorePagesSheetProps) {
  const t = useTranslations("shell");
  const path = usePathname();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const isHere = pages.some(({ href }) => path === href || path.startsWith(`${href}/`));
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
        className={cn(className, isHere ? "font-medium text-ink" : "text-muted")}
      >
        <Ellipsis aria-hidden className={cn("size-4.5", isHere && "text-signal-ink")} />
        {t("more")}
      </button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={t("more")}>
        <nav aria-label={t("morePages")} className="-mx-2 grid">
          {pages.map(({ href, name, Icon }) => (
            <Link
              key={href}
              href={href}
              aria-current={path === href ? "page" : undefined}
              onClick={close}
              className="flex items-center gap-3 rounded-md px-2 py-2.5 text-lg hover:bg-wash aria-[current=page]:bg-wash"
            >
              <Icon aria-hidden className="size-4.5 text-muted" />
              {t(name)}
            </Link>
          ))}
        </nav>
        <div className="-mx-2 mt-2 border-t pt-2">
          {person}
          <SignOutButton className="w-full px-2 text-lg" />
        </div>
      </Dialog>
    </>
  );
}
