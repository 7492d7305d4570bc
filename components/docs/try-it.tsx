"use client";

import { Play } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { later } from "@/components/ui/later";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import { useMay } from "@/lib/client/shown-account";
import type { TryCall } from "./try-call";

const TryForm = later(() => import("./try-form").then((module) => module.TryForm));

interface TryItProps {
  call: TryCall;
  isSignedIn: boolean;
  page: string;
}

/** Opens the form that sends a request; the form's script is loaded then. */
export function TryIt({ call, isSignedIn, page }: TryItProps) {
  const t = useTranslations("tryIt");
  const orders = useMay("order");
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  if (!orders) return null;
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
