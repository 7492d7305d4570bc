import { Download } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./button";

interface DownloadButtonProps extends Pick<ComponentProps<typeof Button>, "look" | "size"> {
  href: string;
  /** For screen readers, where several look the same. */
  label?: string;
  children: ReactNode;
}

/** A link with which the browser saves a file. */
export const DownloadButton = ({ href, label, children, ...button }: DownloadButtonProps) => (
  <Button asChild {...button}>
    <a href={href} download aria-label={label}>
      <Download aria-hidden />
      {children}
    </a>
  </Button>
);
