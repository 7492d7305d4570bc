import { exampleFilm } from "../catalog/example-models";
import type { Sample } from "../client/samples";
import { curl, inThree, nodeCall, type Place, pythonCall } from "./code";
import type { Snippet } from "./snippets";

const BOAT = "A paper boat on a quiet lake";
const TASKS = "/contents/generations/tasks";

const waitingCall: Snippet = (place) =>
  inThree(
    curl(
      `${place.baseUrl}/videos/generations`,
      { model: exampleFilm(), prompt: BOAT, resolution: "480p", duration: 5 },
      ["--max-time 300"],
    ),
    `${pythonCall(place).replace(", time", "")}
video = relay("/videos/generations", {
    "model": "${exampleFilm()}",
    "prompt": "${BOAT}",
    "resolution": "480p",
    "duration": 5,
}, key=str(uuid.uuid4()))  # the same key when you send it again
print(video["video_url"])`,
    `${nodeCall(place)}
const video = await relay("/videos/generations", {
  model: "${exampleFilm()}",
  prompt: "${BOAT}",
  resolution: "480p",
  duration: 5,
}, crypto.randomUUID()); // the same key when you send it again
console.log(video.video_url);`,
  );

/** Orders a video and polls until it is finished. */
export function task(
  place: Place,
  model: string = exampleFilm(),
  flags = "--resolution 480p --duration 5",
): Sample[] {
  const text = `${BOAT} ${flags}`;
  const order = curl(`${place.baseUrl}${TASKS}`, { model, content: [{ type: "text", text }] }, [
    "--silent",
  ]);
  return inThree(
    `id=$(${order} \\
  | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')

while
  task=$(curl --silent ${place.baseUrl}${TASKS}/$id \\
    -H "Authorization: Bearer $RELAY_API_KEY")
  echo "$task" | grep -qE '"status":"(queued|running)"'
do sleep 3; done
echo "$task"`,
    `${pythonCall(place)}
task = relay("${TASKS}", {
    "model": "${model}",
    "content": [{"type": "text", "text": "${text}"}],
}, key=str(uuid.uuid4()))  # the same key when you send it again
while task.get("status", "queued") in ("queued", "running"):
    time.sleep(3)
    task = relay(f"${TASKS}/{task['id']}")
print(task["content"]["video_url"] if task["status"] == "succeeded" else task["error"])`,
    `${nodeCall(place)}
let task = await relay("${TASKS}", {
  model: "${model}",
  content: [{ type: "text", text: "${text}" }],
}, crypto.randomUUID()); // the same key when you send it again
while (["queued", "running"].includes(task.status ?? "queued")) {
  await new Promise((resolve) => setTimeout(resolve, 3000));
  task = await relay(\`${TASKS}/\${task.id}\`);
}
console.log(task.status === "succeeded" ? task.content.video_url : task.error);`,
  );
}

const firstFrame: Snippet = ({ baseUrl }) => [
  {
    language: "curl",
    code: curl(`${baseUrl}${TASKS}`, {
      model: exampleFilm(),
      content: [
        { type: "text", text: "The boat drifts away --resolution 480p --duration 5" },
        {
          type: "image_url",
          image_url: { url: "https://example.com/boat.png" },
          role: "first_frame",
        },
      ],
    }),
  },
];

const references: Snippet = ({ baseUrl }) => [
  {
    language: "curl",
    code: curl(`${baseUrl}${TASKS}`, {
      model: exampleFilm(),
      content: [
        { type: "text", text: "Both walk along the shore --resolution 480p --duration 5" },
        {
          type: "image_url",
          image_url: { url: "https://example.com/ada.png" },
          role: "reference_image",
        },
        {
          type: "image_url",
          image_url: { url: "https://example.com/grace.png" },
          role: "reference_image",
        },
      ],
      generate_audio: true,
    }),
  },
];

const withCallback: Snippet = ({ baseUrl }) => [
  {
    language: "curl",
    code: curl(`${baseUrl}${TASKS}`, {
      model: exampleFilm(),
      content: [{ type: "text", text: `${BOAT} --resolution 480p --duration 5` }],
      callback_url: "https://example.com/hooks/relay",
    }),
  },
];

const callbackReceiver: Snippet = () => [
  {
    language: "python",
    code: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(os.environ["RELAY_CALLBACK_SECRET"].removeprefix("whsec_"))

def is_genuine(headers, body):
    sent_at = headers["webhook-timestamp"]
    if abs(time.time() - int(sent_at)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{sent_at}.".encode() + body
    wanted = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(each, "v1," + wanted) for each in given)

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        genuine = is_genuine(self.headers, body)
        if genuine:
            task = json.loads(body)
            print(task["id"], task["status"], flush=True)
        self.send_response(204 if genuine else 400)
        self.end_headers()

HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()`,
  },
  {
    language: "node",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = Buffer.from(process.env.RELAY_CALLBACK_SECRET.slice("whsec_".length), "base64");

function isGenuine(headers, body) {
  const sentAt = headers["webhook-timestamp"];
  if (Math.abs(Date.now() / 1000 - sentAt) > 300) return false;
  const wanted = createHmac("sha256", secret).update(\`\${headers["webhook-id"]}.\${sentAt}.\${body}\`).digest();
  return headers["webhook-signature"].split(" ").some((each) => {
    const given = Buffer.from(each.slice("v1,".length), "base64");
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

createServer(async (request, response) => {
  let body = "";
  for await (const part of request.setEncoding("utf8")) body += part;
  if (!isGenuine(request.headers, body)) return response.writeHead(400).end();
  const task = JSON.parse(body);
  console.log(task.id, task.status);
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 8080);`,
  },
];

export const videoSnippets = {
  waitingCall,
  task: (place: Place) => task(place),
  firstFrame,
  references,
  withCallback,
  callbackReceiver,
} satisfies Record<string, Snippet>;
