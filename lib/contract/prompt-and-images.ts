/** What is asked of a prompt and of a picture's address, wherever one is sent. */
import { z } from "zod";
import { MEDIA_BODY_MEBIBYTES_MAX, PROMPT_LENGTH_MAX } from "./limits";

const URL_CHARACTERS_MAX = 8192;
/** A picture within the body, which may have as much. */
const IMAGE_ADDRESS_CHARACTERS_MAX = MEDIA_BODY_MEBIBYTES_MAX * 1024 * 1024;
/** Of images sent within a request. */
export const imageTypes = ["jpeg", "jpg", "png", "webp", "bmp", "tiff", "gif", "heic", "heif"];
const encodedStart = new RegExp(`^data:image/(?:${imageTypes.join("|")});base64,`);
const ENCODED_START_MAX = 40;
const ENCODED_CHARACTERS_MIN = 16;

function isBase64(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;
}

/** Character by character: a regular expression needs a stack as deep as a long image. */
function isEncodedImage(text: string): boolean {
  const start = encodedStart.exec(text.slice(0, ENCODED_START_MAX))?.[0].length;
  if (start === undefined) return false;
  let end = text.length;
  while (end > text.length - 2 && text.charCodeAt(end - 1) === 61) end--;
  if (end - start < ENCODED_CHARACTERS_MIN) return false;
  for (let at = start; at < end; at++) if (!isBase64(text.charCodeAt(at))) return false;
  return true;
}

function isImageAddress(text: string): boolean {
  if (text.startsWith("data:")) return isEncodedImage(text);
  if (text.length > URL_CHARACTERS_MAX || !/^https?:\/\/[^\s\p{Cc}]+$/u.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === "" && password === "" && hostname !== "";
}

/** For the API document: addresses of this form are taken, and others that are valid. */
const ADDRESS_PATTERN = "^https?://([A-Za-z0-9]+\\.)*[A-Za-z]+(:[1-9][0-9]{0,3})?(/[A-Za-z0-9._~/-]*)?$";
const ENCODED_PATTERN = "^data:image/(jpeg|png|webp);base64,[A-Za-z0-9+/]{16,}={0,2}$";

export const imageAddress = z
  .string()
  .max(IMAGE_ADDRESS_CHARACTERS_MAX)
  .superRefine((text, context) => {
    if (isImageAddress(text)) return;
    context.addIssue({ code: "custom", message: "send an https:, http: or data:image/…;base64, address" });
  })
  .meta({ anyOf: [{ pattern: ADDRESS_PATTERN }, { pattern: ENCODED_PATTERN }] });

/** Text that every part of the way can carry: no NUL, no half of a surrogate pair. */
export const promptText = z
  .string()
  .max(PROMPT_LENGTH_MAX)
  .superRefine((text, context) => {
    if (text.includes("\u0000") || !text.isWellFormed())
      context.addIssue({ code: "custom", message: "it must be text without NUL characters and broken characters" });
  });
