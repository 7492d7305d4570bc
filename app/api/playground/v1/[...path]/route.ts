export {
  playground as DELETE,
  playground as GET,
  playground as POST,
} from "@/lib/session/playground";

export const dynamic = "force-dynamic";
