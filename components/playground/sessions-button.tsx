import { Ellipsis, History } from "lucide-react";
import { useTranslations } from "next-intl";
import { useDeferredValue, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { ForRole } from "@/components/ui/for-role";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem } from "@/components/ui/menu";
import { QueryFailure } from "@/components/ui/query-failure";
import { RelativeTime } from "@/components/ui/relative-time";
import { showToast } from "@/components/ui/toast";
import { useMe } from "@/lib/client/account";
import { useRemoveSession, useSessions } from "@/lib/client/studio-sessions";
import type { Family } from "@/lib/contract/states";
import type { StudioSessionRow } from "@/lib/contract/studio-sessions";
import { download } from "./download";

interface SessionsProps<Session> {
  kind: Family;
  /** Null where it is gone, or cannot be read. */
  open: (id: string) => Promise<Session | null>;
  onOpen: (session: Session) => void;
  /** Of the exported files, without their ends. */
  name: string;
  /** As Markdown. */
  textOf: (session: Session) => string;
  jsonOf: (session: Session) => string;
}

/** The user's kept sessions of a kind, behind a button. */
export function SessionsButton<Session>({ onOpen, ...rest }: SessionsProps<Session>) {
  const t = useTranslations("playground");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => setIsOpen(true)} title={t("sessions")}>
        <History aria-hidden />
        <span className="max-lg:sr-only">{t("sessions")}</span>
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t("sessions")}
        description={t.rich("sessionsNote", {
          settings: (text) => (
            <ForRole needs="changeAccount">
              <Link href="/settings#kept-sessions" className="underline underline-offset-2">
                {text}
              </Link>
            </ForRole>
          ),
        })}
      >
        <Sessions
          {...rest}
          isShown={isOpen}
          onOpen={(session) => {
            setIsOpen(false);
            onOpen(session);
          }}
        />
      </Dialog>
    </>
  );
}

function Sessions<Session>({ isShown, ...rest }: SessionsProps<Session> & { isShown: boolean }) {
  const t = useTranslations("playground");
  const [search, setSearch] = useState("");
  const asked = useDeferredValue(search.trim());
  const { data, error, refetch } = useSessions(rest.kind, asked, isShown);
  const isOff = useMe().data?.account.keepsSessions === false;
  return (
    <div className="grid gap-3">
      <Input
        type="search"
        aria-label={t("sessionsSearch")}
        placeholder={t("sessionsSearch")}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <div className="min-h-60">
        {error ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
        {data?.sessions.length === 0 ? (
          <p className="py-6 text-center text-muted text-sm">
            {t(isOff ? "sessionsOff" : asked === "" ? "sessionsNone" : "sessionsNotFound")}
          </p>
        ) : null}
        <ul className="divide-y">
          {data?.sessions.map((row) => (
            <SessionRow key={row.id} row={row} {...rest} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function SessionRow<Session>({
  row,
  open,
  onOpen,
  name,
  textOf,
  jsonOf,
}: SessionsProps<Session> & { row: StudioSessionRow }) {
  const t = useTranslations("playground");
  const failureText = useFailureText();
  const remove = useRemoveSession();
  const fail = (error: unknown) => showToast(failureText(error), "bad");
  const withIt = (use: (session: Session) => void) =>
    void open(row.id).then((found) => {
      if (found) use(found);
      else showToast(t("sessionUnreadable"), "bad");
    }, fail);
  const asMarkdown = (session: Session) => download(`${name}.md`, "text/markdown", textOf(session));
  const asJson = (session: Session) =>
    download(`${name}.json`, "application/json", jsonOf(session));
  return (
    <li className="flex items-center gap-2 py-1">
      <div className="min-w-0 flex-1">
        <button
          type="button"
          onClick={() => withIt(onOpen)}
          className="block w-full truncate rounded-md px-2 py-1.5 text-left text-sm hover:bg-wash"
        >
          {row.title}
        </button>
        <p className="px-2 pb-1 text-muted text-xs">
          <RelativeTime at={row.updatedAt} />
          {row.isAwaited ? ` · ${t("sessionAwaited")}` : null}
        </p>
      </div>
      <Menu
        trigger={
          <Button look="quiet" size="small" aria-label={t("sessionActions", { title: row.title })}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => withIt(asMarkdown)}>{t("exportMarkdown")}</MenuItem>
        <MenuItem onSelect={() => withIt(asJson)}>{t("exportJson")}</MenuItem>
        <MenuItem isDangerous onSelect={() => remove.mutate(row.id, { onError: fail })}>
          {t("sessionDelete")}
        </MenuItem>
      </Menu>
    </li>
  );
}
