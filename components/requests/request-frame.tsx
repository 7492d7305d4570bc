import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import type { RequestView } from "@/lib/contract/usage";
import { RequestFactsPart, RequestOutcome } from "./request-details";
import { RequestLife } from "./request-life";
import { Calculation, Part } from "./request-parts";

interface RequestFrameProps {
  list: { href: string; name: string };
  query: { error: Error | null; refetch: () => unknown };
  /** Undefined while it loads. */
  detail: RequestView | undefined;
  noteOf?: Parameters<typeof RequestLife>[0]["noteOf"];
  /** Whether the viewer may open its result. */
  isOwn?: boolean;
  actions?: ReactNode;
  /** Below its life. */
  children?: ReactNode;
  /** Beside its life, below the facts. */
  aside?: ReactNode;
}

const columns = "grid grid-cols-1 items-start gap-3.5 lg:grid-cols-[minmax(0,1fr)_22rem]";

/** The page of one request, for its account and for operators. Its URL is permanent. */
export function RequestFrame({ list, query, detail, actions, ...parts }: RequestFrameProps) {
  const t = useTranslations("usage.detail");
  return (
    <>
      <p className="mb-2 text-sm">
        <Link
          href={list.href}
          className="rounded-sm text-muted underline underline-offset-3 hover:text-ink"
        >
          {list.name}
        </Link>
      </p>
      <PageHead title={t("title")}>
        <div className="flex min-h-8 flex-wrap items-center gap-2">
          {actions}
          {detail ? <LinkButton /> : null}
        </div>
      </PageHead>
      {query.error && !detail ? (
        <QueryFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {detail ? <Body detail={detail} {...parts} /> : null}
      {detail || query.error ? null : <FrameSkeleton />}
    </>
  );
}

/** Copies the address, which members of the account can open. */
function LinkButton() {
  const t = useTranslations("entries.drawer");
  return (
    <CopyButton text={window.location.href} what={t("link")} named={t("copyLink")} look="quiet" />
  );
}

function Body({
  detail,
  noteOf,
  isOwn = true,
  children,
  aside,
}: Pick<RequestFrameProps, "noteOf" | "isOwn" | "children" | "aside"> & { detail: RequestView }) {
  const t = useTranslations("usage.life");
  const { request } = detail.entry;
  if (request === null) return null;
  return (
    <div className={columns}>
      <div className="grid min-w-0 grid-cols-1 gap-3.5">
        <Card className="grid grid-cols-1 gap-5 px-5 py-4.5">
          <h2 className="sr-only">{t("outcome")}</h2>
          <RequestOutcome detail={detail} request={request} isOwn={isOwn} />
          <Part title={t("title")}>
            <RequestLife detail={detail} {...(noteOf && { noteOf })} />
          </Part>
        </Card>
        {children}
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-3.5">
        <Card className="grid grid-cols-1 gap-5 px-5 py-4.5">
          <h2 className="sr-only">{t("counted")}</h2>
          {request.settled !== null ? (
            <Calculation detail={detail} request={request} settled={request.settled} />
          ) : null}
          <RequestFactsPart detail={detail} request={request} />
        </Card>
        {aside}
      </div>
    </div>
  );
}

function FrameSkeleton() {
  return (
    <div className={columns}>
      <Card className="grid gap-4 px-5 py-4.5">
        <Skeleton className="h-4 w-32" />
        <Skeleton className="h-11 w-full max-w-md" />
        <Skeleton className="h-56 w-full" />
      </Card>
      <Card className="grid gap-4 px-5 py-4.5">
        <Skeleton className="h-28 w-full" />
        <Skeleton className="h-36 w-full" />
      </Card>
    </div>
  );
}
