/** Refuses what the model of a text order cannot do, before anything is held or sent. */
import type { TextModel } from "../../catalog/models";
import type { ChatRequest } from "../../contract/chat";
import { RelayError } from "../../failures/relay-error";
import type { RawBody } from "../../http/raw-body";

type Message = ChatRequest["messages"][number];
type Part = Exclude<NonNullable<Message["content"]>, string>[number];
type Picture = Extract<Part, { type: "image_url" }>;

const picturesOf = ({ content }: Message): Picture[] =>
  Array.isArray(content) ? content.filter((part) => part.type === "image_url") : [];

const hasImage = ({ messages }: ChatRequest): boolean =>
  messages.some((message) => picturesOf(message).length > 0);

/**
 * What was taken out of the body for an image and is none of the conversation's is its text. Throws
 * `body_too_large`.
 */
export function assertPictures(
  { messages }: ChatRequest,
  body: Pick<RawBody, "images" | "countAsText">,
): void {
  const { images } = body;
  if (images === undefined) return;
  const bytesOf = ({ image_url: image }: Picture) => images.bytesIn(image.url);
  const shown = messages.flatMap(picturesOf).reduce((sum, picture) => sum + bytesOf(picture), 0);
  body.countAsText(images.byteLength - shown);
}

/** Throws `unsupported_value`. An image without a bound of its tokens could cost more than the hold. */
export function assertWithinModel(request: ChatRequest, model: TextModel): void {
  if (!model.hasTools) {
    const param = ["tools", "functions"].find((name) => Object.hasOwn(request, name));
    if (param !== undefined)
      throw new RelayError("unsupported_value", {
        message: `\`${param}\` is set: ${model.id} calls no functions. Omit it.`,
        param,
        fault: { name: "no_tools" },
      });
  }
  if (model.inputTokensPerImageMax === null && hasImage(request))
    throw new RelayError("unsupported_value", {
      message: `\`messages\` has an image: ${model.id} takes text only.`,
      param: "messages",
      fault: { name: "no_images" },
    });
}
