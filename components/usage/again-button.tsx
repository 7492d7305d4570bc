import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { useMe } from "@/lib/client/account";
import { conversationOf } from "@/lib/client/again-chat";
import { useContent } from "@/lib/client/content";
import { keepConversation } from "@/lib/client/kept-conversation";
import { useMay } from "@/lib/client/shown-account";
import type { RequestView } from "@/lib/contract/usage";

/** Leads to the playground with what the request asked; nothing where that is not kept. */
export function AgainButton({ detail: { entry } }: { detail: RequestView }) {
  const t = useTranslations("usage.content");
  const orders = useMay("order");
  const { request } = entry;
  if (!orders || request === null) return null;
  if (request.family === "text") return <AgainText id={entry.id} model={request.model} />;
  return (
    <Button asChild size="small">
      <Link href={`/playground/${request.family}?again=${entry.id}`} prefetch={false}>
        {t("again")}
      </Link>
    </Button>
  );
}

function AgainText({ id, model }: { id: string; model: string }) {
  const t = useTranslations("usage.content");
  const router = useRouter();
  const { data: me } = useMe();
  const { data } = useContent(id, me !== undefined && me.account.contentDays !== null);
  const input = data?.content?.input ?? null;
  const conversation = input === null ? null : conversationOf(input, model);
  if (conversation === null || me === undefined) return null;
  const open = () => {
    keepConversation(sessionStorage, me.user.id, conversation);
    router.push("/playground");
  };
  return (
    <Button size="small" onClick={open}>
      {t("again")}
    </Button>
  );
}
