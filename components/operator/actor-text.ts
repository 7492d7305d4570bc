import { useTranslations } from "next-intl";

/** Who acted: a person's address or a key's name as it is; the command line and the product itself in words. */
export function useActorText(): (actor: string) => string {
  const t = useTranslations("operator.audit.actors");
  return (actor) => (actor === "cli" || actor === "system" ? t(actor) : actor);
}
