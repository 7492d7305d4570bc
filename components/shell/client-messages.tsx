import { NextIntlClientProvider, type useMessages } from "next-intl";
import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";

type Messages = ReturnType<typeof useMessages>;

/** Sends the browser only the messages that its client components use. */
export async function ClientMessages({
  of,
  children,
}: {
  of: readonly (keyof Messages)[];
  children: ReactNode;
}) {
  const messages = await getMessages();
  const picked = Object.fromEntries(of.map((name) => [name, messages[name]]));
  return <NextIntlClientProvider messages={picked}>{children}</NextIntlClientProvider>;
}
