import type { FindEndpoint } from "@/lib/http/route-table";
import { createWebServer } from "@/server/web-server";
import { type Listening, listen } from "./listen";

/** The product's server in this process, without its pages. */
export function serveFind(find: FindEndpoint): Promise<Listening> {
  const { server } = createWebServer({
    find,
    answerPage: async (_request, response) => void response.writeHead(404).end(),
    report: () => {},
  });
  return listen(server);
}
