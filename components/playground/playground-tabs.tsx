import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";

const places = [
  { href: "/playground", name: "text" },
  { href: "/playground/video", name: "video" },
  { href: "/playground/image", name: "image" },
] as const;

/** The three pages of the playground. */
export function PlaygroundTabs() {
  const t = useTranslations("studio");
  const here = usePathname();
  return (
    <nav aria-label={t("kinds")} className="flex min-h-13 gap-5 self-stretch">
      {places.map(({ href, name }) => (
        <Link
          key={href}
          href={href}
          aria-current={here === href ? "page" : undefined}
          className={cn(
            "-mb-px flex items-center border-transparent border-b-2 font-medium transition-colors",
            here === href ? "border-signal text-ink" : "text-muted hover:text-ink",
          )}
        >
          {t(name)}
        </Link>
      ))}
    </nav>
  );
}
