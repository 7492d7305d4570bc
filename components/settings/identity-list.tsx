import { useQuery } from "@tanstack/react-query";
import { LogIn } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { Notice } from "@/components/ui/notice";
import { QueryFailure } from "@/components/ui/query-failure";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import { identitiesQuery, useAddIdentity, useRemoveIdentity } from "@/lib/client/identities";
import type { IdentityView } from "@/lib/contract/identities";
import type { SignInService } from "@/lib/contract/sign-in-services";

/** What the services are called here, and which of them can be added. */
export interface Services {
  readonly names: Readonly<Record<SignInService, string>>;
  readonly offered: readonly SignInService[];
}

interface IdentityListProps {
  services: Services;
  /** A sign-in through a service was refused a moment ago. */
  isRefused: boolean;
}

/** The other services through which the user signs in. */
export function IdentityList({ services: { names, offered }, isRefused }: IdentityListProps) {
  const t = useTranslations("settings");
  const failureText = useFailureText();
  const { data, error, refetch } = useQuery(identitiesQuery);
  const add = useAddIdentity();
  // Here, since what was removed is not shown any more when it is done.
  const removal = useRemoveIdentity();
  if (error && !data) return <QueryFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-14.5 w-full" />;
  const start = (service: SignInService) =>
    add.mutate(service, { onError: (failure) => showToast(failureText(failure), "bad") });
  const remove = (id: string) =>
    removal.mutate(id, {
      onSuccess: () => showToast(t("serviceRemoved")),
      onError: (failure) => showToast(failureText(failure), "bad"),
    });
  return (
    <div className="grid min-w-0 content-start gap-3">
      {isRefused ? <Notice tone="bad">{t("serviceRefused")}</Notice> : null}
      {data.identities.length === 0 ? (
        <p className="text-muted text-sm">{t("servicesNone")}</p>
      ) : (
        <ul className="divide-y rounded-md border">
          {data.identities.map((identity) => (
            <IdentityItem
              key={identity.id}
              identity={identity}
              name={names[identity.service]}
              isBusy={removal.isPending && removal.variables === identity.id}
              onRemove={() => remove(identity.id)}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {offered.map((service) => (
          <Button
            key={service}
            size="small"
            isBusy={add.isPending && add.variables === service}
            onClick={() => start(service)}
          >
            {t("addService", { name: names[service] })}
          </Button>
        ))}
      </div>
    </div>
  );
}

interface IdentityItemProps {
  identity: IdentityView;
  name: string;
  isBusy: boolean;
  onRemove: () => void;
}

function IdentityItem({ identity, name, isBusy, onRemove }: IdentityItemProps) {
  const t = useTranslations("settings");
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
      <LogIn aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere text-sm">
          {name} <span className="text-muted">{identity.subject}</span>
        </p>
        <p className="text-muted text-xs">
          {t.rich("serviceAdded", { time: () => <RelativeTime at={identity.createdAt} /> })}
        </p>
      </div>
      <Button
        size="small"
        isBusy={isBusy}
        aria-label={t("removeServiceLabel", { name })}
        onClick={onRemove}
      >
        {t("removeService")}
      </Button>
    </li>
  );
}
