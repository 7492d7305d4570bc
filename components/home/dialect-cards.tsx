import { useTranslations } from "next-intl";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { dialectSamples } from "@/lib/docs/dialect-samples";

/** The APIs that reach the models, each with a call of this installation. */
export function DialectCards({ place }: { place: Place }) {
  const t = useTranslations("home.dialects");
  return (
    <section aria-labelledby="dialects" className="mt-20">
      <h2 id="dialects" className="text-2xl">
        {t("title")}
      </h2>
      <p className="mt-2 max-w-[62ch] text-muted">
        {t.rich("note", {
          guide: (text) => (
            <Link href="/docs/clients" prefetch={false} className={linkClassName}>
              {text}
            </Link>
          ),
          reference: (text) => (
            <Link href="/docs/api" prefetch={false} className={linkClassName}>
              {text}
            </Link>
          ),
        })}
      </p>
      <ul className="mt-6 grid grid-cols-1 gap-x-8 gap-y-9 lg:grid-cols-2">
        {dialectSamples(place).map(({ name, path, href, code }) => (
          <li key={name} className="min-w-0">
            <h3 className="text-base">{t(`${name}.title`)}</h3>
            <p className="mt-1 mb-3 max-w-[58ch] text-muted">{t(`${name}.text`)}</p>
            <CodeBlock
              code={code}
              label={t(`${name}.title`)}
              head={
                <Link href={href} prefetch={false} className="truncate rounded-sm hover:text-ink">
                  <code>{path}</code>
                </Link>
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
