import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Dialog as Primitive } from "radix-ui";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { useOpener } from "@/components/ui/use-opener";
import { useHydrated } from "@/lib/client/hydrated";
import { useIsBeside } from "./use-is-beside";
import { type OpenRow, rowLink } from "./use-open-row";

interface DrawerProps {
  title: string;
  /** Shown after the title, such as the row's time. */
  note?: ReactNode;
  /** The query of the row's details; absent when they are in the list. */
  query?: { data: unknown; error: Error | null; refetch: () => unknown };
  row: OpenRow;
  /** The details, once loaded. */
  children: ReactNode;
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/**
 * Shows the details of a list's row, with buttons for the previous and the next row. In a wide
 * window it is beside the list, which can still be used; in a narrow one it covers the page.
 */
export function Drawer(props: DrawerProps) {
  const { row } = props;
  const isBeside = useIsBeside();
  const isHydrated = useHydrated();
  return (
    <>
      {/* The frame of the page makes room where this is. */}
      <span data-drawer hidden />
      {isHydrated ? (
        <Primitive.Root
          open
          modal={!isBeside}
          onOpenChange={(isOpen) => (isOpen ? undefined : row.close())}
        >
          <Primitive.Portal>
            <Primitive.Overlay className="fixed inset-0 z-50 animate-appear bg-veil" />
            <Content {...props} isBeside={isBeside} />
          </Primitive.Portal>
        </Primitive.Root>
      ) : null}
    </>
  );
}

function Content({
  title,
  note,
  query,
  row,
  isBeside,
  children,
}: DrawerProps & { isBeside: boolean }) {
  const content = useRef<HTMLDivElement>(null);
  const focusOpener = useOpener(true);
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = steps[event.key];
    const { target, currentTarget } = event;
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    // Keys in a dialog above this one arrive here too.
    if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
    if (target.closest("input, textarea, select")) return;
    event.preventDefault();
    row.step(step);
  };
  return (
    <Primitive.Content
      ref={content}
      tabIndex={-1}
      aria-describedby={undefined}
      onKeyDown={press}
      onInteractOutside={(event) => (isBeside ? event.preventDefault() : undefined)}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        content.current?.focus({ preventScroll: true });
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        const link = rowLink(row.id);
        if (link) link.focus();
        else focusOpener();
      }}
      className="fixed inset-x-0 bottom-0 z-50 grid h-[92dvh] animate-appear grid-rows-[auto_minmax(0,1fr)_auto] rounded-t-xl border bg-card shadow-float outline-none sm:inset-y-0 sm:left-auto sm:h-dvh sm:w-[min(30rem,100vw)] sm:rounded-none sm:border-y-0 sm:border-r-0 xl:z-40 xl:w-100 xl:shadow-none"
    >
      <Head title={title} note={note} />
      <div key={row.id} className="relative overflow-y-auto px-5 py-4.5">
        {children}
        {query?.error && !query.data ? (
          <QueryFailure error={query.error} onRetry={() => void query.refetch()} />
        ) : null}
        {query && !query.data && !query.error ? <DetailSkeleton /> : null}
      </div>
      <Steps row={row} />
    </Primitive.Content>
  );
}

function Head({ title, note }: Pick<DrawerProps, "title" | "note">) {
  const ui = useTranslations("ui");
  const t = useTranslations("entries.drawer");
  return (
    <div className="flex h-13 items-center gap-2 border-b pr-3 pl-5">
      <Primitive.Title className="min-w-0 flex-1 truncate text-lg">
        {title}
        {note ? <span className="ml-2.5 font-normal text-sm">{note}</span> : null}
      </Primitive.Title>
      <CopyButton
        text={window.location.href}
        what={t("link")}
        title={t("copyLink")}
        look="quiet"
        hasText={false}
        className="size-8 p-0"
      />
      <Primitive.Close
        aria-label={ui("close")}
        className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-wash hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </Primitive.Close>
    </div>
  );
}

/**
 * The buttons are never disabled, which would take the focus from the one just pressed at the last
 * row.
 */
function Steps({ row }: { row: OpenRow }) {
  const t = useTranslations("entries.drawer");
  const style = "aria-disabled:cursor-not-allowed aria-disabled:opacity-50";
  const key =
    "rounded-sm border bg-wash px-1.5 py-0.5 font-mono text-muted text-xs/none max-sm:hidden";
  return (
    <div className="flex h-13 items-center gap-2 border-t pr-3 pl-5 pb-[env(safe-area-inset-bottom)]">
      <p role="status" className="num min-w-0 flex-1 truncate text-muted text-sm">
        {row.place === null
          ? null
          : t("place", { place: row.place, count: row.count, more: String(row.hasMore) })}
      </p>
      <Button
        size="small"
        aria-disabled={!row.hasPrevious}
        aria-keyshortcuts="K ArrowUp"
        className={style}
        onClick={() => row.step(-1)}
      >
        <ChevronUp aria-hidden />
        {t("previous")}
        <kbd aria-hidden className={key}>
          K
        </kbd>
      </Button>
      <Button
        size="small"
        aria-disabled={!row.hasNext}
        aria-busy={row.isFetching}
        aria-keyshortcuts="J ArrowDown"
        className={style}
        onClick={() => row.step(1)}
      >
        <ChevronDown aria-hidden />
        {t("next")}
        <kbd aria-hidden className={key}>
          J
        </kbd>
      </Button>
    </div>
  );
}

function DetailSkeleton() {
  return (
    <div className="grid gap-5">
      <Skeleton className="h-4 w-32" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-36 w-full" />
    </div>
  );
}
