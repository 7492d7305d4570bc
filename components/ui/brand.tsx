import Link from "next/link";
import { BrandName, brandLook } from "./brand-name";

export function Brand({ href = "/" }: { href?: string }) {
  return (
    <Link href={href} className={brandLook}>
      <BrandName />
    </Link>
  );
}
