import { Link } from "@/components/ui/link";

/** A link to an account's page, with its id if it has no email address. */
export function AccountLink({ id, email }: { id: string; email: string | null }) {
  return (
    <Link
      href={`/admin/accounts/${encodeURIComponent(id)}`}
      prefetch={false}
      title={id}
      className="wrap-anywhere rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
    >
      {email ?? id}
    </Link>
  );
}
