/** What is asked of a prompt and of a picture's address, wherever one is sent. */
import { z } from "zod";

const PROMPT_CHARACTERS_MAX = 20_000;
const URL_CHARACTERS_MAX = 8192;
export const SEED_MAX = 2 ** 32 - 1;
const IMAGE_TYPES = "jpeg|jpg|png|webp|bmp|tiff|gif|heic|heif";
const encodedImage = new RegExp(`^data:image/(${IMAGE_TYPES});base64,[A-Za-z0-9+/]{16,}={0,2}$`);

function isImageAddress(text: string): boolean {
  if (text.startsWith("data:")) return encodedImage.test(text);
  if (text.length > URL_CHARACTERS_MAX || !/^https?:\/\/[^\s\p{Cc}]+$/u.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === "" && password === "" && hostname !== "";
}

export const imageAddress = z.string().superRefine((text, context) => {
  if (isImageAddress(text)) return;
  context.addIssue({ code: "custom", message: "send an https:, http: or data:image/…;base64, address" });
});

/** Text that every part of the way can carry: no NUL, no half of a surrogate pair. */
export const promptText = z
  .string()
  .max(PROMPT_CHARACTERS_MAX)
  .superRefine((text, context) => {
    if (text.includes("\u0000") || !text.isWellFormed())
      context.addIssue({ code: "custom", message: "it must be text without NUL characters and broken characters" });
  });
