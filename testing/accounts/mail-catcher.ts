/** A mail server that accepts every mail and keeps its text. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface CaughtMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The token of the link in it; null without one. */
  readonly token: string | null;
}

export interface MailCatcher {
  readonly url: string;
  readonly mails: CaughtMail[];
  to(email: string): CaughtMail[];
  close(): void;
}

function readMail(raw: string): CaughtMail {
  const [head = "", ...rest] = raw.replaceAll("=\r\n", "").split("\r\n\r\n");
  const text = rest.join("\n\n").replaceAll("=3D", "=").replaceAll("\r\n", "\n");
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim() ?? "";
  const token = /[?&]token=([\w-]+)/.exec(text)?.[1] ?? null;
  return { to: field("To"), subject: field("Subject"), text, token };
}

function receive(socket: Socket, keep: (raw: string) => void): void {
  let isText = false;
  let waiting = "";
  socket.on("error", () => {});
  socket.write("220 catcher\r\n");
  socket.on("data", (part) => {
    waiting += part.toString();
    if (isText) {
      // The text is kept until its end has come.
      if (!waiting.endsWith("\r\n.\r\n")) return;
      keep(waiting.slice(0, -5));
      isText = false;
      socket.write("250 kept\r\n");
    } else if (/^DATA/i.test(waiting)) {
      isText = true;
      socket.write("354 go on\r\n");
    } else socket.write(/^QUIT/i.test(waiting) ? "221 bye\r\n" : "250 ok\r\n");
    waiting = "";
  });
}

export async function startMailCatcher(): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const server = createServer((socket) => receive(socket, (raw) => mails.push(readMail(raw))));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    to: (email) => mails.filter((mail) => mail.to === email),
    close: () => server.close(),
  };
}
