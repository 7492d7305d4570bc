import { BrandName, brandLook } from "./brand-name";
import { Link } from "./link";

export function Brand({ href = "/" }: { href?: string }) {
  return (
    <Link href={href} className={brandLook}>
      <BrandName />
    </Link>
  );
}
