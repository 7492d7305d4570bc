import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";

/** What a mailed link did, and the page to go on with. */
export function LinkDone({ text, href, go }: { text: string; href: `/${string}`; go: string }) {
  return (
    <div className="grid gap-4">
      <Notice tone="ok">{text}</Notice>
      <Button asChild look="go" size="large">
        <Link href={href}>{go}</Link>
      </Button>
    </div>
  );
}
