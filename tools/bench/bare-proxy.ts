/**
 * The baseline for the product: Node's HTTP server and an undici pool that pass bytes through and
 * do nothing else.
 */
import { createServer } from "node:http";
import { Pool } from "undici";

const pool = new Pool(`http://127.0.0.1:${process.env.UPSTREAM_PORT}`, { connections: 1024 });

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", async () => {
    try {
      const answer = await pool.request({
        path: request.url ?? "/",
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer upstream" },
        body: Buffer.concat(parts),
      });
      const type = String(answer.headers["content-type"]);
      if (answer.headers["content-length"] === undefined) {
        response.writeHead(answer.statusCode, { "content-type": type });
        for await (const part of answer.body) response.write(part);
        response.end();
      } else {
        const body = Buffer.from(await answer.body.arrayBuffer());
        response.writeHead(answer.statusCode, {
          "content-type": type,
          "content-length": body.length,
        });
        response.end(body);
      }
    } catch {
      response.writeHead(502).end();
    }
  });
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send?.("ready"));
