import { BrandName, brandLook } from "./brand-name";
import { Link } from "./link";

export function Brand() {
  return (
    <Link href="/" className={brandLook}>
      <BrandName />
    </Link>
  );
}
