"use client";

import { brokenPage } from "@/messages/broken-page";
import { preferredLocale } from "@/messages/locales";
import "./globals.css";

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  const locale = preferredLocale(typeof navigator === "undefined" ? null : navigator.language);
  const { title, text, retry } = brokenPage[locale];
  return (
    <html lang={locale} suppressHydrationWarning>
      <body>
        <main className="mx-auto flex min-h-dvh max-w-150 flex-col items-start justify-center gap-3 px-6">
          <h1 className="text-4xl">{title}</h1>
          <p className="text-lg text-muted">{text}</p>
          {error.digest ? <code>{error.digest}</code> : null}
          <button
            type="button"
            className="mt-3 rounded-md bg-ink px-5 py-3 text-paper"
            onClick={() => window.location.reload()}
          >
            {retry}
          </button>
        </main>
      </body>
    </html>
  );
}
