/** Refuses what the model of a text order cannot do, before anything is held or sent. */
import type { TextModel } from "../../catalog/models";
import type { ChatRequest } from "../../contract/chat";
import { RelayError } from "../../failures/relay-error";
import type { RawBody } from "../../http/raw-body";

type Message = ChatRequest["messages"][number];
type Part = Exclude<NonNullable<Message["content"]>, string>[number];
type Picture = Extract<Part, { type: "image_url" }>;

const partsOf = ({ content }: Message): Part[] => (Array.isArray(content) ? content : []);

const isPicture = (part: Part): part is Picture => part.type === "image_url";

const hasImage = ({ messages }: ChatRequest): boolean =>
  messages.some((message) => partsOf(message).some(isPicture));

/**
 * What was taken out of the body for an image or a document and is none of the conversation's is its
 * text. Throws `body_too_large`.
 */
export function assertPictures(
  { messages }: ChatRequest,
  body: Pick<RawBody, "images" | "countAsText">,
): void {
  const { images } = body;
  if (images === undefined) return;
  const bytesOf = (part: Part) => {
    if (part.type === "file") return images.bytesIn(part.file.file_data);
    return isPicture(part) ? images.bytesIn(part.image_url.url) : 0;
  };
  const shown = messages.flatMap(partsOf).reduce((sum, part) => sum + bytesOf(part), 0);
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
