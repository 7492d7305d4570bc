export {
  answerPage as DELETE,
  answerPage as GET,
  answerPage as HEAD,
  answerPage as OPTIONS,
  answerPage as PATCH,
  answerPage as POST,
  answerPage as PUT,
} from "@/lib/session/session";
