import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useListText } from "@/components/ui/use-list-text";
import { browserName } from "@/lib/client/browser-name";
import { useOperatorWrite } from "@/lib/client/write";
import { type AccountView, accountEndpoints } from "@/lib/contract/operator-accounts";

type AccountUser = AccountView["people"][number];
type Session = AccountUser["sessions"][number];

/** The account's users and their sessions. */
export function AccountUsers({ people }: { people: AccountView["people"] }) {
  const t = useTranslations("operator.account");
  return (
    <Card aria-labelledby="account-people">
      <CardHead id="account-people" title={t("people")} note={t("peopleNote")} />
      <ul className="divide-y border-t">
        {people.map((user) => (
          <UserItem key={user.id} user={user} />
        ))}
      </ul>
    </Card>
  );
}

function UserItem({ user }: { user: AccountUser }) {
  const t = useTranslations("operator.account");
  return (
    <li className="px-5 py-3.5">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <b className="wrap-anywhere font-medium">{user.email}</b>
        {user.name ? <span className="text-muted">{user.name}</span> : null}
        {user.isOperator ? <Pill>{t("operator")}</Pill> : null}
        <code className="text-faint text-xs">{user.id}</code>
      </p>
      {user.sessions.length === 0 ? (
        <p className="mt-1 text-muted text-sm">{t("noSessions")}</p>
      ) : null}
      <ul className="mt-1.5 grid gap-1.5">
        {user.sessions.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </ul>
    </li>
  );
}

function SessionItem({ session }: { session: Session }) {
  const listed = useListText();
  const t = useTranslations("operator.account");
  const showFailure = useFailureToast();
  const end = useOperatorWrite(accountEndpoints.endAccountSession);
  const { browser, system } = browserName(session.userAgent);
  const name = listed([browser ?? t("unknownBrowser"), ...(system ? [system] : [])]);
  const leave = () =>
    end.mutate(
      { id: session.id },
      { onSuccess: () => showToast(t("sessionEnded")), onError: showFailure },
    );
  return (
    <li
      className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm"
      title={session.userAgent ?? undefined}
    >
      <span>{name}</span>
      {session.address ? <span className="num text-muted">{session.address}</span> : null}
      <span className="flex-1 text-muted">
        {t.rich("seen", { time: () => <RelativeTime at={session.lastSeenAt} /> })}
      </span>
      <Button
        size="small"
        isBusy={end.isPending}
        aria-label={t("endSessionLabel", { browser: name })}
        onClick={leave}
      >
        {t("endSession")}
      </Button>
    </li>
  );
}
