"use client";

import { Play } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { linkClassName } from "@/components/ui/rich-text";

const TryForm = dynamic(() => import("./try-form").then((module) => module.TryForm), {
  ssr: false,
});

/** What the form needs to know of an endpoint. */
export interface TryCall {
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly needsKey: boolean;
  readonly takesSession: boolean;
  readonly isSold: boolean;
  /** An example of the query; null when there are no parameters. */
  readonly query: string | null;
  /** Bodies as JSON text, with what each is an example of. */
  readonly bodies: readonly { readonly title: string; readonly text: string }[];
}

/** Opens the form that sends a request; the form's script is loaded then. */
export function TryIt({
  call,
  isSignedIn,
  page,
}: {
  call: TryCall;
  isSignedIn: boolean;
  page: string;
}) {
  const t = useTranslations("tryIt");
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  if (!isSignedIn) {
    return (
      <p className="text-muted text-sm">
        {t.rich("signIn", {
          link: (text) => (
            <Link
              href={`/login?callbackUrl=${encodeURIComponent(page)}`}
              prefetch={false}
              className={linkClassName}
            >
              {text}
            </Link>
          ),
        })}
      </p>
    );
  }
  return (
    <section>
      <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        <Play aria-hidden />
        {t("open")}
        <span className="sr-only">{call.path}</span>
      </Button>
      <div id={id}>{isOpen ? <TryForm call={call} /> : null}</div>
    </section>
  );
}
