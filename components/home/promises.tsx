import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";

const promises = [
  { name: "price", href: "/docs/billing" },
  { name: "failures", href: "/docs/errors" },
  { name: "retries", href: "/docs/retries" },
  { name: "videos", href: "/docs/videos" },
  { name: "limits", href: "/docs/limits" },
  { name: "libraries", href: "/docs/libraries" },
] as const;

/** What the service promises, each with a link to its explanation. */
export function Promises() {
  const t = useTranslations("home.promises");
  return (
    <section aria-labelledby="promises" className="mt-20">
      <h2 id="promises" className="mb-5 text-2xl">
        {t("title")}
      </h2>
      <ul className="grid gap-x-10 gap-y-7 border-t pt-6 sm:grid-cols-2 lg:grid-cols-3">
        {promises.map(({ name, href }) => (
          <li key={name}>
            <h3 className="text-base">
              <Link
                href={href}
                prefetch={false}
                className="rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
              >
                {t(`${name}.title`)}
              </Link>
            </h3>
            <p className="mt-1 max-w-[42ch] text-muted">{t(`${name}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
