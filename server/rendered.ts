/** Has the pages answer a request that nobody's browser sent, and collects the answer. */
import { EventEmitter } from "node:events";
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";

export type AnswerPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Rendered {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/**
 * A connection that leads nowhere: it takes everything at once. The pages listen for upgrades at the
 * server of the first one that they see.
 */
class Nowhere extends Socket {
  readonly server = new EventEmitter();

  override _write(_chunk: unknown, _encoding: unknown, taken: () => void): void {
    taken();
  }

  override _writev(_chunks: unknown, taken: () => void): void {
    taken();
  }
}

/**
 * The answer to `GET url` in a language, without a cookie. What else the asking browser sent has no
 * effect on it, so it may be sent to others.
 */
export function renderPage(answerPage: AnswerPage, url: string, locale: string): Promise<Rendered> {
  const request = new IncomingMessage(new Nowhere());
  Object.assign(request, { method: "GET", url, httpVersion: "1.1" });
  Object.assign(request.headers, { host: "localhost", "accept-language": locale });
  request.push(null);
  const response = new ServerResponse(request);
  const parts: Buffer[] = [];
  const collect = (chunk: unknown) => {
    if (typeof chunk === "string") parts.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) parts.push(Buffer.from(chunk));
  };
  const { writeHead, write, end } = response;
  return new Promise((resolve, reject) => {
    let given: OutgoingHttpHeaders = {};
    Object.assign(response, {
      writeHead(...values: Parameters<typeof writeHead>) {
        const named = values.at(-1);
        if (typeof named === "object" && !Array.isArray(named)) given = named;
        return writeHead.apply(response, values);
      },
      write(...values: Parameters<typeof write>) {
        collect(values[0]);
        write.apply(response, values);
        // The connection takes everything: whoever waited for it to drain would wait for ever.
        return true;
      },
      end(...values: Parameters<typeof end>) {
        collect(values[0]);
        return end.apply(response, values);
      },
    });
    response.assignSocket(request.socket);
    response.once("finish", () => {
      response.emit("close");
      request.socket.destroy();
      const headers = { ...response.getHeaders(), ...given };
      resolve({ status: response.statusCode, headers, body: Buffer.concat(parts) });
    });
    answerPage(request, response).catch(reject);
  });
}
