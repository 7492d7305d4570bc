/** Programs that receive webhooks. `server/webhook-snippets.test.ts` runs them. */
import type { Sample } from "../client/samples";

/** With the library of Standard Webhooks. `RELAY_WEBHOOK_SECRET`: the endpoint's secret. */
export const webhookReceiver: readonly Sample[] = [
  {
    language: "node",
    code: `import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.RELAY_WEBHOOK_SECRET);

createServer(async (request, response) => {
  let body = "";
  for await (const part of request.setEncoding("utf8")) body += part;
  try {
    const event = webhook.verify(body, request.headers);
    console.log(event.type, JSON.stringify(event.data));
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(process.env.PORT ?? 8080);`,
  },
];
