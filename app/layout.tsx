import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { headers } from "next/headers";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Appearance } from "@/components/shell/appearance";
import { CatalogueOf } from "@/components/shell/catalogue-of";
import { ClientMessages } from "@/components/shell/client-messages";
import { ShownMark } from "@/components/ui/brand-mark";
import { shownBrand, siteFace } from "./_server/brand";
import { sentModels } from "./_server/sent-models";
import "./globals.css";

// `optional`, not `swap`: a font that comes after the first paint waits for the next page. Put in
// then, it would move what the reader already reads.
const sans = localFont({
  src: "../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2",
  variable: "--font-geist-sans",
  weight: "100 900",
  display: "optional",
});
const mono = localFont({
  src: "../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-geist-mono",
  weight: "100 900",
  display: "optional",
  adjustFontFallback: false,
  fallback: [
    "ui-monospace",
    "SFMono-Regular",
    "Roboto Mono",
    "Menlo",
    "Monaco",
    "Liberation Mono",
    "DejaVu Sans Mono",
    "Courier New",
    "monospace",
  ],
});

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("meta");
  const { title, description, icon } = await siteFace();
  return {
    title: { default: title, template: `%s · ${t("name")}` },
    description,
    applicationName: t("name"),
    icons:
      icon === null
        ? {
            icon: { url: "/icon.svg", type: "image/svg+xml", sizes: "any" },
            apple: "/apple-icon.png",
          }
        : { icon: { url: icon.address, type: icon.image.type, sizes: icon.sizes } },
  };
}

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfaf8" },
    { media: "(prefers-color-scheme: dark)", color: "#110f0d" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  const { mark, sheet } = shownBrand();
  return (
    <html
      lang={await getLocale()}
      className={`${sans.variable} ${mono.variable}`}
      suppressHydrationWarning
    >
      <body>
        {sheet === null ? null : <link rel="stylesheet" href={sheet} precedence="brand" />}
        <Appearance nonce={nonce}>
          <CatalogueOf models={sentModels()}>
            <ShownMark mark={mark}>
              <ClientMessages of={["meta", "failurePage"]}>{children}</ClientMessages>
            </ShownMark>
          </CatalogueOf>
        </Appearance>
      </body>
    </html>
  );
}
