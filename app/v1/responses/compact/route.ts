export * from "@/lib/composition/every-method";

export const dynamic = "force-dynamic";
