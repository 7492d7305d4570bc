import type { ReactNode } from "react";
import { NEW_KEY_PATH } from "@/lib/contract/page-paths";
import { Link } from "./link";

const addresses = {
  signup: "/signup",
  points: "/points",
  keys: "/keys",
  newKey: NEW_KEY_PATH,
  usage: "/usage",
  tasks: "/tasks",
  playground: "/playground",
  pricing: "/pricing",
  models: "/models",
  streaming: "/docs/streaming",
  videos: "/docs/videos",
  images: "/docs/images",
  retries: "/docs/retries",
  errors: "/docs/errors",
  billing: "/docs/billing",
  openapi: "/openapi.json",
} as const;

export const linkClassName =
  "rounded-sm font-medium text-ink underline decoration-line-strong underline-offset-3 hover:decoration-ink";

function linkTo(href: string) {
  return (text: ReactNode) =>
    href.endsWith(".json") ? (
      <a href={href} className={linkClassName}>
        {text}
      </a>
    ) : (
      <Link href={href} className={linkClassName} prefetch={false}>
        {text}
      </Link>
    );
}

/** The tags that documentation texts may use: code, and links by name. */
export const tags = {
  code: (text: ReactNode) => (
    <code className="rounded-sm bg-wash px-1 py-0.5 text-[0.92em] [overflow-wrap:anywhere]">
      {text}
    </code>
  ),
  ...(Object.fromEntries(
    Object.entries(addresses).map(([name, href]) => [name, linkTo(href)]),
  ) as Record<keyof typeof addresses, ReturnType<typeof linkTo>>),
};
