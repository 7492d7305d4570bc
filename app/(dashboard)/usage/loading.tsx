import { DrawerRoom } from "@/components/lists/drawer-room";
import { PageSkeleton } from "@/components/ui/page-skeleton";

export default function Loading() {
  return (
    <>
      <DrawerRoom name="request" />
      <PageSkeleton />
    </>
  );
}
