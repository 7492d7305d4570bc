"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { ForRole, RoleNote } from "@/components/ui/for-role";
import { LanguageSwitch } from "@/components/ui/language-switch";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { useMe } from "@/lib/client/account";
import type { Me } from "@/lib/contract/me";
import { AccountSwitch } from "./account-switch";
import { ContentForm } from "./content-form";
import { DeleteAccount } from "./delete-account";
import { EmailForm } from "./email-form";
import type { Help } from "./help";
import { IdentityList, type Services } from "./identity-list";
import { LowBalanceForm } from "./low-balance-form";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";
import { SessionList } from "./session-list";
import { SignOutEverywhere } from "./sign-out-everywhere";

interface SettingsViewProps {
  email: string;
  help: Help;
  /** The button that signs this browser out. */
  signOut: ReactNode;
  secondFactor: ReactNode;
  services: Services;
  /** A sign-in through another service was refused a moment ago. */
  isServiceRefused: boolean;
}

export function SettingsView({ email, help, ...props }: SettingsViewProps) {
  const t = useTranslations("settings");
  const { data: me, error, refetch } = useMe();
  return (
    <>
      <PageHead title={t("title")} note={t("note", { email })} />
      <RoleNote />
      <div className="grid max-w-190 gap-3.5">
        <Part id="profile" title={t("profile")} note={t("profileNote")}>
          {me ? (
            <ProfileForm name={me.user.name} />
          ) : (
            <Skeleton className="h-31.25 w-full max-sm:h-32 max-w-sm" />
          )}
        </Part>
        <Part id="email" title={t("email")} note={t("emailNote")}>
          <EmailForm email={email} help={help} />
        </Part>
        <Part id="display" title={t("display")} note={t("displayNote")}>
          <div className="grid max-w-sm gap-3">
            <ThemeSwitch />
            <LanguageSwitch />
          </div>
        </Part>
        <Part id="password" title={t("password")} note={t("passwordNote")}>
          {me ? <PasswordForm hasPassword={me.user.hasPassword} email={email} /> : null}
          {error && !me ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
          {me || error ? null : <Skeleton className="h-59.75 w-full max-w-sm" />}
        </Part>
        <Part id="sign-in" title={t("signIn")} note={t("signInNote")}>
          {props.secondFactor}
        </Part>
        <ServicesPart services={props.services} isRefused={props.isServiceRefused} />
        <AccountParts me={me} />
        <Part id="sessions" title={t("sessions")} note={t("sessionsNote")}>
          <div className="grid min-w-0 gap-3.5">
            <SessionList />
            <div className="flex flex-wrap gap-2">
              <SignOutEverywhere />
              {props.signOut}
            </div>
          </div>
        </Part>
        <ForRole needs="own">
          <Part id="delete" title={t("delete")} note={t("deleteNote")}>
            <div>
              {me ? <DeleteAccount me={me} help={help} /> : <Skeleton className="h-9.5 w-40" />}
            </div>
          </Part>
        </ForRole>
      </div>
    </>
  );
}

/** What holds for the whole account. */
function AccountParts({ me }: { me: Me | undefined }) {
  const t = useTranslations("settings");
  return (
    <ForRole needs="changeAccount">
      <Part id="notices" title={t("notices")} note={t("noticesNote")}>
        {me ? (
          <LowBalanceForm notice={me.account.lowBalanceNotice} />
        ) : (
          <Skeleton className="h-42.5 w-full max-w-sm" />
        )}
      </Part>
      <Part id="kept-content" title={t("content")} note={t("contentNote")}>
        {me ? (
          <ContentForm days={me.account.contentDays} />
        ) : (
          <Skeleton className="h-40 w-full max-w-sm" />
        )}
      </Part>
      <Part id="kept-sessions" title={t("sessionsKept")} note={t("sessionsKeptNote")}>
        {me ? (
          <AccountSwitch
            isOn={me.account.keepsSessions}
            change={(keepsSessions) => ({ keepsSessions })}
            label={t("sessionsKept")}
            on={t("sessionsKeep")}
            off={t("sessionsKeepNone")}
            saved={(isOn) => t(isOn ? "sessionsOn" : "sessionsRemoved")}
          />
        ) : (
          <Skeleton className="h-9.5 w-full max-w-sm" />
        )}
      </Part>
      <Part id="retries" title={t("retries")} note={t("retriesNote")}>
        {me ? (
          <AccountSwitch
            isOn={me.account.joinsRetries}
            change={(joinsRetries) => ({ joinsRetries })}
            label={t("retries")}
            on={t("retriesJoin")}
            off={t("retriesOrder")}
            saved={() => t("retriesSaved")}
          />
        ) : (
          <Skeleton className="h-9.5 w-full max-w-sm" />
        )}
      </Part>
    </ForRole>
  );
}

/** Nothing where the installation offers no other service. */
function ServicesPart(props: { services: Services; isRefused: boolean }) {
  const t = useTranslations("settings");
  if (props.services.offered.length === 0) return null;
  return (
    <Part id="services" title={t("services")} note={t("servicesNote")}>
      <IdentityList {...props} />
    </Part>
  );
}

interface PartProps {
  id: string;
  title: string;
  note: string;
  children: ReactNode;
}

function Part({ id, title, note, children }: PartProps) {
  return (
    <Card aria-labelledby={id} className="grid gap-x-8 gap-y-4 px-5 py-5 sm:grid-cols-[13rem_1fr]">
      <div>
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <p className="text-muted text-sm">{note}</p>
      </div>
      {children}
    </Card>
  );
}
