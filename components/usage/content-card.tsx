import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Part } from "@/components/requests/request-parts";
import { Card, CardHead } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CodeSamples } from "@/components/ui/code-samples";
import { ForRole } from "@/components/ui/for-role";
import { Link } from "@/components/ui/link";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { useMe } from "@/lib/client/account";
import { useContent } from "@/lib/client/content";
import { askedBody, askedTurns } from "@/lib/client/content-text";
import { samplesOfRequest } from "@/lib/client/text-samples";
import { exactTime } from "@/lib/client/times";
import { answeredText } from "@/lib/contract/answered-text";
import type { ContentView } from "@/lib/contract/content";
import { RemoveContent } from "./remove-content";

interface ContentCardProps {
  /** The ledger's id of the request. */
  id: string;
  dialect: string | null;
  baseUrl: string;
}

/** What a text asked and was answered, where the account keeps it; or that it keeps nothing. */
export function ContentCard({ id, dialect, baseUrl }: ContentCardProps) {
  const t = useTranslations("usage.content");
  const { data: me } = useMe();
  const isKept = me !== undefined && me.account.contentDays !== null;
  const { data, error, refetch } = useContent(id, isKept);
  if (me === undefined) return <ContentSkeleton />;
  return (
    <Card aria-labelledby="kept-content">
      <CardHead id="kept-content" title={t("title")} note={<Note content={data?.content} />}>
        {data?.content ? (
          <ForRole needs="work">
            <RemoveContent id={id} />
          </ForRole>
        ) : null}
      </CardHead>
      <div className="grid grid-cols-1 gap-5 px-5 pb-4.5">
        {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
        {data?.content ? (
          <Content content={data.content} dialect={dialect} baseUrl={baseUrl} />
        ) : null}
        {data?.content === null || !isKept ? (
          <p className="text-muted text-sm">
            {t(isKept ? "none" : "off")}{" "}
            <ForRole needs="changeAccount">
              <Link href="/settings#kept-content" className="underline underline-offset-3">
                {t("turnOn")}
              </Link>
            </ForRole>
          </p>
        ) : null}
        {isKept && !data && !error ? <Skeleton className="h-40 w-full" /> : null}
      </div>
    </Card>
  );
}

function Note({ content }: { content: ContentView | null | undefined }) {
  const t = useTranslations("usage.content");
  const locale = useLocale();
  return content ? t("note", { time: exactTime(content.expiresAt, locale) }) : null;
}

function Content({
  content: { input, output },
  dialect,
  baseUrl,
}: Omit<ContentCardProps, "id"> & { content: ContentView }) {
  const t = useTranslations("usage.content");
  const turns = input === null ? null : askedTurns(input);
  const body = input === null ? null : askedBody(input);
  const answer = output === null ? t("noOutput") : answeredText(output) || t("noText");
  return (
    <>
      {input === null ? <p className="text-muted text-sm">{t("noInput")}</p> : null}
      {turns?.map(({ role, text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the turns never change their order
        <Said key={place} role={role} text={text} />
      ))}
      <Part title={t("answer")}>
        <Text text={answer} />
      </Part>
      <div className="grid min-w-0 grid-cols-1 gap-2.5">
        {body === null ? null : (
          <Folded title={t("code")} note={t("codeNote")}>
            <CodeSamples label={t("code")} samples={samplesOfRequest(baseUrl, dialect, body)} />
          </Folded>
        )}
        {input === null ? null : <Raw title={t("sent")} text={input} />}
        {output === null ? null : <Raw title={t("answered")} text={output} />}
      </div>
    </>
  );
}

function Said({ role, text }: { role: string; text: string }) {
  const t = useTranslations("usage.content.roles");
  const known = (["system", "developer", "user", "assistant"] as const).find((one) => one === role);
  return (
    <Part title={known ? t(known) : role}>
      <Text text={text} />
    </Part>
  );
}

const Text = ({ text }: { text: string }) => (
  <p className="wrap-anywhere max-h-96 overflow-y-auto whitespace-pre-wrap text-sm">{text}</p>
);

interface FoldedProps {
  title: string;
  note?: string;
  children: React.ReactNode;
}

/** Its inside is there only while it is open: it may be a megabyte. */
function Folded({ title, note, children }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="min-w-0" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm font-medium text-sm">{title}</summary>
      {isOpen ? (
        <div className="mt-1 grid grid-cols-1 gap-2.5">
          {note ? <p className="text-muted text-sm">{note}</p> : null}
          {children}
        </div>
      ) : null}
    </details>
  );
}

const indented = (text: string): string => {
  const body = askedBody(text);
  return body === null ? text : JSON.stringify(body, null, 2);
};

const Raw = ({ title, text }: { title: string; text: string }) => (
  <Folded title={title}>
    <CodeBlock code={indented(text)} label={title} head={<span>{title}</span>} />
  </Folded>
);

const ContentSkeleton = () => (
  <Card className="grid gap-4 px-5 py-4.5">
    <Skeleton className="h-5 w-40" />
    <Skeleton className="h-20 w-full" />
  </Card>
);
