/** A mail server that accepts every mail and keeps its text. */
import { createServer, type Socket } from "node:net";
import { listen } from "../stage/listen";

export interface CaughtMail {
  readonly from: string;
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

/** The text behind `=E8` and its like. */
const unquoted = (text: string): string =>
  Buffer.from(
    text
      .replaceAll("=\r\n", "")
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    "latin1",
  ).toString();

/** The text of a header, whose words may be encoded one by one. */
function readHeader(text: string): string {
  const word = /=\?UTF-8\?([BQ])\?(.*?)\?=/gi;
  const joined = text.replaceAll(/\?=\s+=\?UTF-8\?Q\?/gi, "").replaceAll(/\?=\s+=\?/g, "?==?");
  return joined.replaceAll(word, (_, kind: string, inner: string) =>
    kind.toUpperCase() === "B"
      ? Buffer.from(inner, "base64").toString()
      : unquoted(inner.replaceAll("_", " ")),
  );
}

function readMail(raw: string): CaughtMail {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const field = (name: string) =>
    new RegExp(`^${name}: (.*(?:\\r\\n\\s.*)*)$`, "im").exec(head)?.[1]?.trim() ?? "";
  const body = rest.join("\r\n\r\n");
  const isBase64 = field("Content-Transfer-Encoding") === "base64";
  const decoded = isBase64 ? Buffer.from(body, "base64").toString() : unquoted(body);
  const text = decoded.replaceAll("\r\n", "\n");
  const token = /[?&]token=([\w-]+)/.exec(text)?.[1] ?? null;
  return {
    from: readHeader(field("From")),
    to: field("To"),
    subject: readHeader(field("Subject")),
    text,
    token,
  };
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
  const { port } = await listen(server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    to: (email) => mails.filter((mail) => mail.to === email),
    close: () => server.close(),
  };
}
