import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { PasswordField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import { changePassword, meQuery } from "@/lib/client/account";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@/lib/contract/limits";

/** Changes the password or sets the first one. All other sessions end. */
export function PasswordForm({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  const t = useTranslations("settings");
  const auth = useTranslations("auth");
  const client = useQueryClient();
  const form = useServerForm({
    start: { currentPassword: "", newPassword: "" },
    problemsOf: ({ currentPassword, newPassword: { length } }) => ({
      currentPassword:
        hasPassword && currentPassword === "" ? auth("problems.passwordMissing") : undefined,
      newPassword:
        length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX
          ? auth("problems.password", { count: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX })
          : undefined,
    }),
    send: ({ currentPassword, newPassword }) =>
      changePassword(hasPassword ? { currentPassword, newPassword } : { newPassword }),
    onDone: () => {
      form.clear();
      showToast(t("passwordChanged"));
      return client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <Form form={form} className="max-w-sm">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <FormFailure text={form.failure} />
      {hasPassword ? (
        <PasswordField
          label={t("currentPassword")}
          autoComplete="current-password"
          {...form.field("currentPassword")}
        />
      ) : null}
      <PasswordField
        label={t("newPassword")}
        hint={auth("passwordHint", { count: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX })}
        autoComplete="new-password"
        {...form.field("newPassword")}
      />
      <Button type="submit" look="go" isBusy={form.isBusy} className="justify-self-start">
        {hasPassword ? t("changePassword") : t("setPassword")}
      </Button>
    </Form>
  );
}
