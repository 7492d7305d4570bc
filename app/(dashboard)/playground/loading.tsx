import { StudioSkeleton } from "@/components/playground/studio-skeleton";

export default function Loading() {
  return <StudioSkeleton />;
}
