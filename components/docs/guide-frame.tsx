import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { type DocPage, docPages } from "@/lib/docs/guides";
import { keysOf } from "@/lib/values/records";

interface GuideSection {
  /** The anchor of the section. */
  id: string;
  title: string;
  body: ReactNode;
}

/** Sections by their anchors, which name their titles too. */
export const sectionsOf = <Id extends string>(
  t: (key: `${NoInfer<Id>}.title`) => string,
  bodies: Readonly<Record<Id, ReactNode>>,
): GuideSection[] =>
  keysOf(bodies).map((id) => ({ id, title: t(`${id}.title`), body: bodies[id] }));

interface GuideFrameProps {
  name: DocPage["name"];
  title: string;
  lead: string;
  sections: readonly GuideSection[];
}

/**
 * The layout of a documentation page: lead, sections with anchors, links to the previous and the
 * next page.
 */
export function GuideFrame({ name, title, lead, sections }: GuideFrameProps) {
  const t = useTranslations("docs");
  return (
    <article>
      <h1 className="text-3xl tracking-tighter">{title}</h1>
      <p className="mt-2.5 max-w-[62ch] text-lg text-muted">{lead}</p>
      <nav aria-label={t("onThisPage")} className="mt-4 border-y py-2.5">
        <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-sm">
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`} className="rounded-sm text-muted hover:text-ink">
                {section.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {sections.map((section) => (
        <section
          key={section.id}
          aria-labelledby={section.id}
          className="mt-10 grid grid-cols-1 gap-4"
        >
          <Heading id={section.id} title={section.title} />
          {section.body}
        </section>
      ))}
      <PreviousNextLinks name={name} />
    </article>
  );
}

function Heading({ id, title }: { id: string; title: string }) {
  const t = useTranslations("docs");
  return (
    <h2 id={id} className="group scroll-mt-6 text-xl">
      {title}
      <a
        href={`#${id}`}
        aria-label={t("linkTo", { title })}
        className="ml-2 rounded-sm font-normal text-faint opacity-0 transition-opacity focus-visible:opacity-100 group-hover:opacity-100"
      >
        #
      </a>
    </h2>
  );
}

/** Links to the previous and the next page in reading order. */
export function PreviousNextLinks({ name }: { name: DocPage["name"] }) {
  const t = useTranslations("docs");
  const at = docPages.findIndex((page) => page.name === name);
  const [previous, next] = [docPages[at - 1], docPages[at + 1]];
  const look = "grid rounded-lg border bg-card px-4 py-3 hover:border-line-strong";
  return (
    <nav aria-label={t("pages")} className="mt-14 grid gap-3 border-t pt-6 sm:grid-cols-2">
      {previous ? (
        <Link href={previous.path} rel="prev" className={look}>
          <span className="text-muted text-sm">{t("previous")}</span>
          <span className="font-medium">{t(`names.${previous.name}`)}</span>
        </Link>
      ) : (
        <span className="max-sm:hidden" />
      )}
      {next ? (
        <Link href={next.path} rel="next" className={`${look} sm:text-right`}>
          <span className="text-muted text-sm">{t("next")}</span>
          <span className="font-medium">{t(`names.${next.name}`)}</span>
        </Link>
      ) : null}
    </nav>
  );
}

/** A paragraph of limited width. */
export function Prose({ children }: { children: ReactNode }) {
  return <p className="max-w-[68ch] text-muted leading-relaxed">{children}</p>;
}
