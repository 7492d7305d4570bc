import { Bookmark, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { QueryFailure } from "@/components/ui/query-failure";
import { linkClassName } from "@/components/ui/rich-text";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useUsageViews } from "@/lib/client/usage-views";
import { USAGE_VIEW_NAME_LENGTH_MAX } from "@/lib/contract/limits";

/** What a view does not keep: it is of one moment. */
const passing = ["request", "day", "live"];

function shownQuery(): string {
  const search = new URLSearchParams(window.location.search);
  for (const name of passing) search.delete(name);
  return search.toString();
}

/** The views of the page that the reader keeps, behind a button: filters, groupings and columns. */
export function SavedViews() {
  const t = useTranslations("usage.views");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Bookmark aria-hidden />
        {t("title")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t("title")}
        description={t("note")}
      >
        <Views onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

function Views({ onDone }: { onDone: () => void }) {
  const t = useTranslations("usage.views");
  const showFailure = useFailureToast();
  const { query, views, keep, remove, isPending, isFull } = useUsageViews();
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keep({ name: name.trim(), query: shownQuery() }).then(() => setName(""), showFailure);
  };
  return (
    <div className="grid gap-4">
      {query.error ? (
        <QueryFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data && views.length === 0 ? <p className="text-muted">{t("none")}</p> : null}
      <ul className="divide-y empty:hidden">
        {views.map((view) => (
          <li key={view.name} className="flex items-center gap-2 py-1.5">
            <Link
              href={`/usage?${view.query}`}
              onClick={onDone}
              className={`min-w-0 flex-1 truncate ${linkClassName}`}
            >
              {view.name}
            </Link>
            <Button
              look="quiet"
              size="small"
              aria-label={t("remove", { name: view.name })}
              disabled={isPending}
              onClick={() => void remove(view.name).catch(showFailure)}
            >
              <X aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      {isFull ? <p className="text-muted text-sm">{t("full", { count: views.length })}</p> : null}
      <form onSubmit={submit} className="flex gap-2">
        <Input
          aria-label={t("name")}
          placeholder={t("name")}
          value={name}
          maxLength={USAGE_VIEW_NAME_LENGTH_MAX}
          disabled={isFull}
          onChange={({ target }) => setName(target.value)}
        />
        <Button
          type="submit"
          className="h-10"
          isBusy={isPending}
          disabled={isFull || name.trim() === ""}
        >
          {t("keep")}
        </Button>
      </form>
    </div>
  );
}
